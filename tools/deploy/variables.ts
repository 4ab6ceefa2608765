/** Reads the variables of a deployment from an environment and hands them to where they belong. */
import type { z } from "zod";
import { Env as WorkerEnv } from "../../functions/env.ts";
import { Env as RoomEnv } from "../../party/env.ts";
import { VARIABLE_BYTES } from "./limits.ts";
import { VARIABLES, type Variable } from "./variable-table.ts";

export type Values = Readonly<Record<string, string>>;
/** `missing` for one that is required, `not set` for one that is not, else what is wrong with the value. */
export type Complaint = { readonly variable: Variable; readonly problem: string };

export const isFatal = ({ problem }: Complaint): boolean => problem !== "not set";

const said = (error: z.core.$ZodError): string => error.issues.map(({ message }) => message).join("; ");

/** What is wrong with a value by itself. */
function problemOf({ schema }: Variable, value: string): string | undefined {
  if (Buffer.byteLength(value) > VARIABLE_BYTES) return `must have at most ${VARIABLE_BYTES} bytes`;
  const parsed = schema.safeParse(value);
  return parsed.success ? undefined : said(parsed.error);
}

/** What Worker and room say at their start about the values that are set; one that is missing is another complaint. */
function startComplaints(values: Values): Complaint[] {
  const complaints: Complaint[] = [];
  for (const [destination, schema] of [
    ["worker", WorkerEnv],
    ["room", RoomEnv],
  ] as const) {
    const issues = schema.safeParse(valuesFor(destination, values)).error?.issues ?? [];
    for (const { path, message } of issues) {
      const name = tableName(destination, String(path[0]));
      const variable = VARIABLES.find((one) => one.name === name);
      if (variable !== undefined && values[name] !== undefined) complaints.push({ variable, problem: message });
    }
  }
  return complaints;
}

/** Rooms and Worker are two deployments at two addresses. */
function sameAddress(values: Values): Complaint[] {
  const variable = VARIABLES.find(({ name }) => name === "PARTY_URL");
  const same = values["PARTY_URL"] !== undefined && values["PARTY_URL"] === values["API_URL"];
  return variable !== undefined && same ? [{ variable, problem: "must not be the address of API_URL" }] : [];
}

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
    const problem = problemOf(variable, given);
    if (problem === undefined) values[variable.name] = given;
    else complaints.push({ variable, problem });
  }
  return { values, complaints: [...complaints, ...startComplaints(values), ...sameAddress(values)] };
}

const tableName = (destination: "worker" | "room", name: string): string =>
  destination === "room" ? name.replace(/^PUSH_/, "PARTY_PUSH_") : name;

/** The values that go to the Worker, or to the rooms under the names that they have there. */
export function valuesFor(destination: "worker" | "room", values: Values): Values {
  const names = VARIABLES.filter(({ goesTo }) => goesTo.includes(destination)).map(({ name }) => name);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return value === undefined
        ? []
        : [[destination === "room" ? name.replace(/^PARTY_PUSH_/, "PUSH_") : name, value]];
    }),
  );
}
