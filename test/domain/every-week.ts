/** Run by week.test.ts under several time zones: prints the zone's offset and weeks of every day 2000–2100 as JSON. */
import { createHash } from "node:crypto";
import { startOf, weekOf } from "../../functions/domain/board/week.ts";
import { daysByHand } from "./iso-weeks-by-hand.ts";

const hash = createHash("sha256");
for (const { startMs } of daysByHand()) {
  const week = weekOf(startMs);
  hash.update(`${week} ${weekOf(startMs + 86_399_999)} ${startOf(week)}\n`);
}
console.log(JSON.stringify({ january: new Date(1767225600000).getTimezoneOffset(), digest: hash.digest("hex") }));
