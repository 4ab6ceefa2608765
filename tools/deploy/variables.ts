/** Reads the variables of a deployment from an environment and hands them to where they belong. */
import { VARIABLES, type Variable } from "./variable-table.ts";

export type Values = Readonly<Record<string, string>>;
/** `missing` for one that is required, `not set` for one that is not, else what is wrong with the value. */
export type Complaint = { readonly variable: Variable; readonly problem: string };

export const isFatal = ({ problem }: Complaint): boolean => problem !== "not set";

/** What is set, without empty values, and what is wrong with the rest. Complaints never hold a value. */
export function readVariables(environment: Readonly<Record<string, string | undefined>>): {
  readonly values: Values;
  readonly complaints: readonly Complaint[];
} {
  const values: Record<string, string> = {};
  const complaints: Complaint[] = [];
  for (const variable of VARIABLES) {
    const given = environment[variable.name];
    if (given === undefined || given === "") {
      complaints.push({ variable, problem: variable.without === undefined ? "missing" : "not set" });
      continue;
    }
    const parsed = variable.schema.safeParse(given);
    if (parsed.success) values[variable.name] = parsed.data;
    else complaints.push({ variable, problem: parsed.error.issues.map((issue) => issue.message).join("; ") });
  }
  return { values, complaints };
}

/** The values that go to the Worker, or to the rooms under the names that they have there. */
export function valuesFor(destination: "worker" | "room", values: Values): Values {
  const names = VARIABLES.filter(({ goesTo }) => goesTo.includes(destination)).map(({ name }) => name);
  const roomName = (name: string) => name.replace(/^PARTY_PUSH_/, "PUSH_");
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [[destination === "room" ? roomName(name) : name, value]];
    }),
  );
}
