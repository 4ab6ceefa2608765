/** Boards that games define as plain arrays: what players bring, and the pages that follow from it. */
import type { BoardDefinition } from "../../functions/contract/board-definitions.ts";

export type Brought = { readonly player: string; readonly value: number; readonly atMs: number; readonly ios: boolean };
/** `stepMs`: what one step of time is in the scores of its period. */
export type Rule = Partial<Pick<BoardDefinition, "order" | "aggregation" | "tie">> & {
  readonly value?: object;
  readonly stepMs?: number;
};

type Held = { value: number; atMs: number };
type Row = Held & { readonly player: string };

/** What a player holds after one more result; results come in the order of their times. */
function held(rule: Rule, before: Held | undefined, { value, atMs: exactMs }: Brought): Held {
  const atMs = exactMs - (exactMs % (rule.stepMs ?? 1));
  switch (rule.aggregation ?? "best") {
    case "last":
      return { value, atMs };
    case "count":
      return { value: (before?.value ?? 0) + 1, atMs };
    case "sum":
      if (before && value === 0) return before;
      return { value: (before?.value ?? 0) + value, atMs };
    default: {
      const better = !before || (rule.order === "asc" ? value < before.value : value > before.value);
      return better ? { value, atMs } : before;
    }
  }
}

/** Players and what they hold, the first place first. */
export function ranked(rule: Rule, brought: readonly Brought[], ios: boolean): Row[] {
  const players = new Map<string, Row>();
  const isIos = new Map<string, boolean>();
  for (const one of brought) {
    isIos.set(one.player, one.ios);
    players.set(one.player, { player: one.player, ...held(rule, players.get(one.player), one) });
  }
  const worse = rule.order === "asc" ? 1 : -1;
  return [...players.values()]
    .filter(({ player }) => !ios || isIos.get(player))
    .sort(
      (a, b) =>
        worse * (a.value - b.value) || (rule.tie === "id" ? 0 : a.atMs - b.atMs) || (a.player < b.player ? 1 : -1),
    );
}

/** The entries of these rows as answers show them. */
export const shown = (rule: Rule, rows: readonly Row[]) =>
  rows.map(({ player, value, atMs }, i) => ({
    rank: i + 1,
    competitionRank: rows.findIndex((one) => one.value === value) + 1,
    player,
    value,
    achievedAt: rule.tie === "id" ? null : new Date(atMs).toISOString(),
  }));
