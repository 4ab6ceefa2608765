/** What a failed call to Redis means. Texts stay here: they repeat keys and arguments, which hold players. */
import { DependencyError } from "../../domain/errors.ts";

/** Replies that begin with ERR say in words what they are: a code of ours for those that a caller asks about. */
const IN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/no such key/i, "NOKEY"],
  [/max (daily )?requests? limit/i, "QUOTA"],
  [/max (single )?record size/i, "RECORD_SIZE"],
  [/max request size/i, "REQUEST_SIZE"],
  [/function not found/i, "NOFUNCTION"],
  [/wrong|must be|is not an? /i, "ARGUMENTS"],
];

/** The code of an error reply, its first word: `OOM`, `WRONGPASS`, …; undefined when the text is no reply of Redis. */
export function replyCode(text: string): string | undefined {
  const [word] = /^[A-Z][A-Z0-9_]+(?= )/.exec(text) ?? [];
  if (word !== "ERR") return word;
  return IN_WORDS.find(([words]) => words.test(text))?.[1] ?? word;
}

/** As DependencyError, whatever the SDK threw. */
export function redisFailure(error: unknown): DependencyError {
  const { name, message } = error instanceof Error ? error : { name: "", message: "" };
  if (name === "TimeoutError") return new DependencyError("redis", "slow", "deadline");
  // An error of a proxy in between comes as UpstashError too, but in other words than Redis chooses.
  const code = name === "UpstashError" ? replyCode(message.split(", command was:")[0] ?? "") : undefined;
  if (code !== undefined) return new DependencyError("redis", "refused", code);
  return new DependencyError("redis", "unreachable", name.startsWith("Upstash") ? "unreadable" : "connection");
}
