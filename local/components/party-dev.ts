import { pathToFileURL } from "node:url";
import { z } from "zod";
import { installed } from "../paths.ts";

// Runs partykit's command line in this process with the variables of PARTY_VARIABLES added as --var options: they win
// over a .env of the clone, and given this way the secrets among them do not show in `ps`.
const variables = z.record(z.string(), z.string()).parse(JSON.parse(process.env["PARTY_VARIABLES"] ?? "{}"));
const entries = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
if (entries.length > 0) process.argv.push("--var", ...entries);
process.argv[1] = installed("partykit", "dist", "bin.mjs");
await import(pathToFileURL(process.argv[1]).href);
