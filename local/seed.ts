/** The game that every local stack has. */
export const SEED_GAME = "arena";

/**
 * Creates the game `arena` through the public API; one that an earlier start left keeps its configuration. The Worker loads the Redis library itself when Redis does not know
 * it, so there is nothing else to seed.
 */
export async function seed({ api, serverKey }: { api: string; serverKey: string }): Promise<void> {
  const url = `${api}/v1/games/${SEED_GAME}`;
  const headers = { authorization: `Bearer ${serverKey}`, "content-type": "application/json" };
  const known = await fetch(url, { headers });
  await known.arrayBuffer();
  if (known.ok) return;
  const response = await fetch(url, { method: "PUT", headers, body: "{}" });
  const answer = await response.text();
  if (!response.ok)
    throw new Error(`creating the game ${SEED_GAME} was answered with ${response.status}: ${answer.slice(0, 500)}`);
}
