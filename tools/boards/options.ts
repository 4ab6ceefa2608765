/** Command line of `npm run boards`. */
import { parseArgs } from "node:util";
import { z } from "zod";

export const USAGE = `usage: npm run boards -- preview <file> [--n 5] [--from 2026-10-14T18:00:00Z]

Prints the next periods of a board's definition, the JSON that PUT /v1/games/<game>/boards/<board> takes:
  <file>   the definition; - reads it from standard input
  --n      how many periods, 1 to 100
  --from   begin with the period that holds this time; now if it is left out

  echo '{"statistic":"lapMs","order":"asc","schedule":{"kind":"day","zone":"Europe/Berlin"}}' | npm run boards -- preview -`;

const Preview = z.object({
  n: z.coerce.number().pipe(z.int().min(1).max(100)).default(5),
  from: z.iso.datetime({ offset: true, error: "must be a time such as 2026-10-14T18:00:00Z" }).optional(),
});
export type Preview = z.infer<typeof Preview> & { readonly file: string };

const text = { type: "string" } as const;

/** Throws with what is wrong. */
export function parseOptions(args: readonly string[]): Preview {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { n: text, from: text },
  });
  const [command, file, ...more] = positionals;
  if (command !== "preview")
    throw new Error(command === undefined ? "name a command" : `there is no command "${command}"`);
  if (file === undefined || more.length > 0) throw new Error("name one file with a definition");
  const parsed = Preview.safeParse(values);
  if (parsed.success) return { ...parsed.data, file };
  throw new Error(parsed.error.issues.map(({ path, message }) => `--${path.join(".")}: ${message}`).join("; "));
}
