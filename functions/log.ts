/** One JSON line a request or job. Ids, outcomes and durations only: no bodies, no tokens, no SDK messages. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export function log(level: "info" | "warn" | "error", event: string, fields: LogFields): void {
  console[level](JSON.stringify({ level, event, ...fields }));
}
