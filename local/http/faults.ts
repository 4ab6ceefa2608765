import { z } from "zod";

const rule = z.strictObject({
  /** Substring of the request body; without it every request matches. */
  match: z.string().min(1).optional(),
  action: z.enum(["drop-before", "drop-after", "delay", "delay-after", "status", "html", "foreign", "truncate"]),
  delayMs: z.int().min(0).max(600_000).default(0),
  status: z.int().min(400).max(599).default(503),
  /** So many matching requests pass untouched first. */
  skip: z.int().min(0).default(0),
  /** After so many effects the rule is gone. */
  times: z.int().min(1).optional(),
});

/** One fault, as `POST /__faults` takes it. */
export type FaultRule = z.input<typeof rule>;
/** The fault that hits one request. */
export type Fault = Pick<z.output<typeof rule>, "action" | "delayMs" | "status">;

/** The rules in force on one endpoint. */
export class FaultBox {
  #rules: z.output<typeof rule>[] = [];

  /** Replaces all rules. Throws a ZodError on input that is no list of rules. */
  replace(input: unknown): void {
    this.#rules = z.array(rule).parse(input);
  }

  /** The rules still in force, with their remaining counts. */
  list(): readonly FaultRule[] {
    return this.#rules;
  }

  /** The fault for this request, if any: the first rule that matches and is not skipping; its count goes down. */
  take(body: string): Fault | undefined {
    for (const [index, candidate] of this.#rules.entries()) {
      if (candidate.match !== undefined && !body.includes(candidate.match)) continue;
      if (candidate.skip > 0) {
        candidate.skip -= 1;
        continue;
      }
      if (candidate.times !== undefined) {
        candidate.times -= 1;
        if (candidate.times === 0) this.#rules.splice(index, 1);
      }
      return candidate;
    }
    return undefined;
  }
}
