/** Whether Redis has the ranking library of this release, and exactly its text. */
import { z } from "zod";
import { LIBRARY_NAME, librarySource, releaseOf } from "../../lua/loader.ts";
import type { Problem } from "./problem.ts";
import { LIBRARY, type Stores } from "./stores.ts";

const listed = z.array(z.array(z.unknown()));

async function loadedCode({ redis }: Stores): Promise<string | undefined> {
  const list = listed.parse(await redis.command(["FUNCTION", "LIST", "LIBRARYNAME", LIBRARY_NAME, "WITHCODE"]));
  const fields = list[0] ?? [];
  const at = fields.indexOf("library_code");
  const code = at === -1 ? undefined : fields[at + 1];
  return typeof code === "string" ? code : undefined;
}

export async function checkLibrary(stores: Stores): Promise<Problem[]> {
  const wanted = librarySource(LIBRARY, stores.target);
  const code = await loadedCode(stores);
  // What stands between the header and our first line is the provider's (local/upstash/record-size.ts).
  const header = wanted.indexOf("\n") + 1;
  if (code?.startsWith(wanted.slice(0, header)) && code.endsWith(wanted.slice(header))) return [];
  const release = code === undefined ? undefined : releaseOf(code);
  const ours = releaseOf(LIBRARY);
  // Of two releases that run side by side, the newer one's functions stay.
  if (release !== undefined && release > ours) return [];
  const detail =
    release === undefined ? "the ranking library is not loaded" : `release ${release} is loaded, not this ${ours}`;
  return [
    {
      check: "library",
      game: undefined,
      detail,
      repair: () => stores.redis.command(["FUNCTION", "LOAD", "REPLACE", wanted]),
    },
  ];
}
