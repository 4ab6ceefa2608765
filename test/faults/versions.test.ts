/** Versions order boards: for every reader and from both stores, while commits, answers and stores come and go. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TopResponse } from "../../functions/contract/boards.ts";
import { isNewer, LiveResponse, SocketMessage } from "../../functions/contract/live.ts";
import { until } from "../harness/until.ts";
import { startWorld, type World } from "./world.ts";

const HELD = 4_711;
/** Longer than an isolate keeps a page of a top. */
const PAGE_KEPT_MS = 1_000;

let world: World;
beforeAll(async () => {
  world = await startWorld();
  // Commits of players whose id begins with "slow" wait for a lock that a test may hold.
  await world.postgres.query(`
    create function wait_to_commit() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${HELD}); return null; end $$;
    create constraint trigger slow_commits after insert on submissions deferrable initially deferred
    for each row when (new.player like 'slow%') execute function wait_to_commit();`);
});
afterEach(() => world.fault("upstash", []));
afterAll(() => world.postgres.query("drop trigger slow_commits on submissions; drop function wait_to_commit"));

async function holdCommits(): Promise<() => Promise<void>> {
  const holder = await world.postgres.connect();
  await holder.query("select pg_advisory_lock($1)", [HELD]);
  return async () => {
    await holder.query("select pg_advisory_unlock($1)", [HELD]);
    holder.release();
  };
}

const commitsWaiting = () =>
  until("the commit waits", async () => {
    const { rowCount } = await world.postgres.query(
      "select from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
      [HELD],
    );
    return rowCount === 1;
  });

type Seen = { readonly version: string; readonly players: string; readonly source: string | null };

async function top(game: string): Promise<Seen> {
  const response = await world.call(`/v1/games/${game}/boards/current/top`);
  const { version, entries } = TopResponse.parse(await response.json());
  const players = entries.map(({ player }) => player).join();
  return { version, players, source: response.headers.get("edgeboard-source") };
}

/** The next answer that is no page of before. */
const freshTop = (game: string, source: string) =>
  until(`a read from ${source}`, async () => {
    const seen = await top(game);
    return seen.source === source && seen;
  });

/** Every read of this game's top from Redis fails. */
const failReads = () => world.fault("upstash", [{ match: "lb_top_v2", action: "drop-before" }]);

async function watch(game: string) {
  const { url } = LiveResponse.parse(await (await world.call(`/v1/games/${game}/live`)).json());
  const boards: { version: string; players: string }[] = [];
  const socket = new WebSocket(url);
  socket.addEventListener("message", ({ data }) => {
    const message = SocketMessage.parse(JSON.parse(String(data)));
    if (message.type !== "top") return;
    boards.push({ version: message.version, players: message.entries.map(({ player }) => player).join() });
  });
  const shows = (players: string) => until(`${players} is shown`, () => boards.at(-1)?.players === players, 30_000);
  return { boards, shows, close: () => socket.close() };
}

function expectNoFall(versions: readonly string[]): void {
  for (const [i, version] of versions.entries()) {
    expect(isNewer(versions[i - 1] ?? "0", version), versions.join(" ")).toBe(false);
  }
}

describe("a slow commit", () => {
  it("reaches the viewers though the room has read an older board from Postgres meanwhile", async () => {
    const game = await world.newGame();
    await world.postUntilAccepted(game, { player: "ann", points: 10 });
    const first = await watch(game);
    await first.shows("ann");
    const commit = await holdCommits();
    const slow = world.postUntilAccepted(game, { player: "slow", points: 100 });
    await commitsWaiting();
    await failReads();
    const degraded = await freshTop(game, "postgres");
    expect(degraded.players).toBe("ann");
    // A viewer who comes now makes the room ask the API, which reads from Postgres.
    const second = await watch(game);
    await until("the room has read it", () => !isNewer(degraded.version, second.boards.at(-1)?.version ?? "0"));
    await world.fault("upstash", []);
    await commit();
    await slow;
    await first.shows("slow,ann");
    expect(isNewer((await freshTop(game, "redis")).version, degraded.version)).toBe(true);
    for (const viewer of [first, second]) {
      await viewer.shows("slow,ann");
      expectNoFall(viewer.boards.map(({ version }) => version));
      viewer.close();
    }
  });
});

describe("one reader", () => {
  it("sees the same version of the same board from Redis, Postgres and Redis again", async () => {
    const game = await world.newGame();
    for (const player of ["ann", "bob"]) await world.postUntilAccepted(game, { player, points: 10 });
    const before = await freshTop(game, "redis");
    await failReads();
    const degraded = await freshTop(game, "postgres");
    await world.fault("upstash", []);
    const after = await freshTop(game, "redis");
    expect([degraded.version, after.version]).toEqual([before.version, before.version]);
  });

  it("sees no version go down while Redis lacks what Postgres showed, is emptied, and comes back", async () => {
    const game = await world.newGame();
    await world.postUntilAccepted(game, { player: "ann", points: 10 });
    const seen: Seen[] = [await freshTop(game, "redis")];
    const look = async () => {
      seen.push(await top(game));
      return seen.at(-1);
    };
    // Its call never arrives, and nobody repeats it for a while.
    await world.fault("upstash", [{ match: "bob", action: "drop-before" }]);
    await world.postUntilAccepted(game, { player: "bob", points: 20 });
    await world.fault("upstash", [
      { match: "bob", action: "drop-before" },
      { match: "lb_top_v2", action: "drop-before", times: 1 },
    ]);
    await until("Postgres is read", async () => (await look())?.players === "bob,ann");
    const shownAt = Date.now();
    await until("the page of before is forgotten", async () => {
      expect((await look())?.players).toBe("bob,ann");
      return Date.now() - shownAt > 2 * PAGE_KEPT_MS;
    });
    await world.fault("upstash", []);
    await world.tick();
    await until("Redis has it", async () => (await look())?.source === "redis");
    await world.redis.flushall();
    await world.postUntilAccepted(game, { player: "cid", points: 30 });
    await until("it is there", async () => (await look())?.players === "cid,bob,ann", 30_000);
    await until("Redis is back", async () => (await look())?.source === "redis", 30_000);
    expectNoFall(seen.map(({ version }) => version));
  });

  it("sees versions rise when a moderator takes somebody off, on a board without players too", async () => {
    const game = await world.newGame();
    for (const [i, player] of ["ann", "bob", "cid"].entries()) {
      await world.postUntilAccepted(game, { player, points: 10 + i });
    }
    const viewer = await watch(game);
    await viewer.shows("cid,bob,ann");
    const versions = [(await freshTop(game, "redis")).version];
    await Promise.all(
      ["ann", "bob", "cid"].map((player) => world.call(`/v1/games/${game}/players/${player}/ban`, { method: "PUT" })),
    );
    await viewer.shows("");
    versions.push((await until("nobody is left", async () => (await top(game)).players === "" && top(game))).version);
    await failReads();
    versions.push((await freshTop(game, "postgres")).version);
    await world.fault("upstash", []);
    await world.redis.flushall();
    await world.postUntilAccepted(game, { player: "dan", points: 1 });
    await viewer.shows("dan");
    versions.push((await until("Redis is back", async () => (await top(game)).players === "dan" && top(game))).version);
    expectNoFall([...versions, ...viewer.boards.map(({ version }) => version).slice(-1)]);
    expectNoFall(viewer.boards.map(({ version }) => version));
    viewer.close();
  });
});
