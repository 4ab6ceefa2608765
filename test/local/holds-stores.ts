/** Starts the stores of a DATA_DIR, says what runs, and then does nothing: what test/local/orphans.test.ts kills. */
import { startStores } from "../../local/stores.ts";

const stores = await startStores({ dataDir: process.env["DATA_DIR"] ?? "" });
const servers = ["redis", "postgres", "upstash", "neon"].map((name) => stores.roster.pid(name));
console.log(`holder ${process.pid} servers ${servers.join(" ")}`);
setInterval(() => undefined, 60_000);
