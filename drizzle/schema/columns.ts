/** Column types that every table shares. */
import { customType, timestamp } from "drizzle-orm/pg-core";

/** Text that is compared byte for byte, as Redis compares members: the order's last rule depends on it. */
export const byteText = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

/** An instant; JavaScript sees a Date. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
