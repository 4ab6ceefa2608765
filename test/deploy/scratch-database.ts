/** A database of a test's own beside the stack's. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { stack } from "../harness/stack.ts";

export interface ScratchDatabase {
  readonly url: string;
  readonly client: pg.Client;
  /** Ends the connection and drops the database. */
  drop(): Promise<void>;
}

async function asOwner(statement: string): Promise<void> {
  const owner = new pg.Client({ connectionString: stack().databaseUrl });
  await owner.connect();
  await owner.query(statement);
  await owner.end();
}

/** Creates an empty database and connects to it. */
export async function scratchDatabase(): Promise<ScratchDatabase> {
  const name = `scratch_${randomUUID().replaceAll("-", "")}`;
  await asOwner(`create database ${name}`);
  const url = Object.assign(new URL(stack().databaseUrl), { pathname: `/${name}` }).href;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    url,
    client,
    async drop() {
      await client.end();
      await asOwner(`drop database ${name} with (force)`);
    },
  };
}
