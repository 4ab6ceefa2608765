/** The room's environment, parsed. Errors name the variable and never its value. */
import { z } from "zod";

/** Short secrets are refused: they can be guessed. With a space no header could carry it. */
const secret = z.string().regex(/^\S{16,512}$/, "must have 16 to 512 characters and no spaces");

export const Env = z.object({
  PUSH_SECRET: secret,
  /** Accepted beside PUSH_SECRET while secrets are rotated. */
  PUSH_SECRET_PREVIOUS: secret.optional(),
  API_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, "")),
});

export type RoomEnv = { readonly pushSecrets: readonly string[]; readonly apiUrl: string };

/** The environment, or undefined after saying on the log which variables are wrong. */
export function parseEnv(env: Record<string, unknown>): RoomEnv | undefined {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = Env.safeParse(given);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => issue.path.join(".")))];
    console.error(JSON.stringify({ message: "room environment is not valid", variables: names }));
    return undefined;
  }
  const { PUSH_SECRET, PUSH_SECRET_PREVIOUS, API_URL } = parsed.data;
  return { pushSecrets: PUSH_SECRET_PREVIOUS ? [PUSH_SECRET, PUSH_SECRET_PREVIOUS] : [PUSH_SECRET], apiUrl: API_URL };
}
