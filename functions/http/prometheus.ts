/** Renders gauges as Prometheus text, format 0.0.4. */
import type { Troubles } from "../services/operations/troubles.ts";
import type { Answer, Postgres, Redis, Stream, Unverified } from "../services/operations/read-vitals.ts";

export type Found = {
  readonly redis: Redis;
  /** Undefined: not asked. */
  readonly postgres: Postgres | undefined;
  /** Undefined: Redis did not answer. */
  readonly stream: Stream | undefined;
  readonly unverified: Unverified | undefined;
  readonly release: number;
  readonly givenUp: Readonly<Record<"redis" | "postgres", boolean>>;
  readonly troubles: Troubles;
};

type Sample = readonly [value: number | null | undefined, labels?: string];

const seconds = (ms: number | null | undefined) => (ms === null || ms === undefined ? undefined : ms / 1000);
const bit = (state: Answer | undefined) => (state === undefined ? undefined : Number(state === "ok"));

/** A gauge; a sample that is not known is left out, and a gauge without samples too. */
function gauge(name: string, help: string, samples: readonly Sample[]): string[] {
  const known = samples.filter(([value]) => value !== null && value !== undefined);
  if (known.length === 0) return [];
  const lines = known.map(
    ([value, labels]) => `edgeboard_${name}${labels === undefined ? "" : `{${labels}}`} ${value}`,
  );
  return [`# HELP edgeboard_${name} ${help}`, `# TYPE edgeboard_${name} gauge`, ...lines];
}

const labelled = (counts: ReadonlyMap<string, number>, name: string) =>
  [...counts].map(([value, count]): Sample => [count, `${name}="${value.replace(/\W/g, "_")}"`]);

const POSTGRES = 'dependency="postgres"';
const REDIS = 'dependency="redis"';

export function renderMetrics({ redis, postgres, stream, unverified, release, givenUp, troubles }: Found): string {
  const lines = [
    ...gauge("up", "1 when the dependency answers.", [
      [bit(redis.state), REDIS],
      [bit(postgres?.state), POSTGRES],
    ]),
    ...gauge("ping_seconds", "Round trip from the Worker to the dependency, failed ones up to their deadline.", [
      [seconds(redis.ms), REDIS],
      [seconds(postgres?.ms), POSTGRES],
    ]),
    ...gauge("library_release", "Release of the ranking library, of the Worker that answered and in Redis.", [
      [release, 'where="worker"'],
      [redis.release, 'where="redis"'],
    ]),
    ...gauge("cron_age_seconds", "Time since a cron run last saw the list of busy games.", [
      [seconds(stream?.cronAgeMs)],
    ]),
    ...gauge("cron_list_known", "0 when Redis lost the list of busy games and no cron run has made it anew.", [
      [stream && Number(stream.cronAgeMs !== null)],
    ]),
    ...gauge("busy_games", "Games with submissions since the cron last found them idle.", [[stream?.busyGames]]),
    ...gauge("looked_at_games", "Busy games that the following gauges are about, the longest busy first.", [
      [stream?.lookedAt],
    ]),
    ...gauge("missing_games", "Games that Redis does not have: new, lost, or being rebuilt.", [[stream?.missingGames]]),
    ...gauge(
      "full_boards",
      "Boards of this week and of all time that outgrew a key of Redis; Postgres answers for them.",
      [[stream?.fullBoards]],
    ),
    ...gauge("feed_entries", "Feed entries that the badge group has not finished.", [
      [stream?.unread, 'state="unread"'],
      [stream?.pending, 'state="pending"'],
    ]),
    ...gauge("unverified_games", "Games with submissions not yet known to be on the boards.", [[unverified?.games]]),
    ...gauge("unverified_age_seconds", "Age of the oldest submission not yet known to be on the boards.", [
      [seconds(unverified?.oldestMs)],
    ]),
    ...gauge(
      "given_up",
      "1 while the isolate that answers does not ask the dependency, since it did not answer lately.",
      [
        [Number(givenUp.redis), REDIS],
        [Number(givenUp.postgres), POSTGRES],
      ],
    ),
    ...gauge("unranked_submissions", "Submissions that this isolate answered with 202 in the last minutes.", [
      ...labelled(troubles.unranked, "cause"),
    ]),
    ...Object.entries(troubles.refusals).flatMap(([dependency, counts]) =>
      gauge(`${dependency}_refusals`, `Calls of this isolate that ${dependency} refused in the last minutes.`, [
        ...labelled(counts, "code"),
      ]),
    ),
  ];
  return `${lines.join("\n")}\n`;
}
