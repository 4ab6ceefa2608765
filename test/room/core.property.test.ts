import fc from "fast-check";
import { expect, test } from "vitest";
import { isNewer } from "../../functions/contract/live.ts";
import { step } from "../../party/core.ts";
import { SENDS_PER_SECOND } from "../../party/pace.ts";
import { initialState } from "../../party/state.ts";
import type { Effect, RoomEvent, RoomState } from "../../party/state.ts";
import { board, NOW, roomId } from "./boards.ts";

/** A room with simulated sockets: every socket remembers the versions it saw. */
class Theatre {
  state: RoomState = initialState(roomId("arena_2026-W42"), undefined, 0);
  nowMs = NOW;
  readonly sockets: string[][] = [];
  readonly sends: { atMs: number; count: number }[] = [];
  wakeAtMs = Infinity;

  handle(event: RoomEvent): void {
    if (event.type === "connected") this.sockets.push([]);
    const next = step(this.state, event, this.nowMs);
    this.state = next.state;
    for (const effect of next.effects) this.perform(effect);
  }

  perform(effect: Effect): void {
    if (effect.type === "wake") this.wakeAtMs = effect.atMs;
    if (effect.type !== "reply" && effect.type !== "broadcast") return;
    const receivers = effect.type === "reply" ? this.sockets.slice(-1) : this.sockets;
    const versions = effect.messages.flatMap((message) => (message.type === "top" ? [message.version] : []));
    for (const seen of receivers) seen.push(...versions);
    if (effect.type === "broadcast")
      this.sends.push({ atMs: this.nowMs, count: receivers.length * effect.messages.length });
  }

  passTo(atMs: number): void {
    while (this.wakeAtMs <= atMs) {
      this.nowMs = Math.max(this.nowMs, this.wakeAtMs);
      this.wakeAtMs = Infinity;
      this.handle({ type: "ticked", audience: this.sockets.length });
    }
    this.nowMs = atMs;
  }
}

const events = fc.array(
  fc.record({
    afterMs: fc.nat(120),
    what: fc.oneof(
      { weight: 6, arbitrary: fc.record({ push: fc.integer({ min: 1, max: 200 }) }) },
      { weight: 2, arbitrary: fc.constant("connect" as const) },
      { weight: 1, arbitrary: fc.constant("answer" as const) },
    ),
  }),
  { maxLength: 120 },
);

test("in whatever order pushes arrive, no socket sees a version go down and every socket ends on the newest", () => {
  fc.assert(
    fc.property(events, fc.constantFrom(1, 5, 2_000), (list, crowd) => {
      const theatre = new Theatre();
      for (let index = 0; index < crowd; index++) theatre.handle({ type: "connected" });
      let newest = 0;
      for (const { afterMs, what } of list) {
        theatre.passTo(theatre.nowMs + afterMs);
        if (what === "connect") theatre.handle({ type: "connected" });
        else if (what === "answer") theatre.handle({ type: "answered", answer: { type: "unavailable" } });
        else {
          newest = Math.max(newest, what.push);
          theatre.handle({ type: "pushed", push: board(what.push, [["ada", what.push]]) });
        }
      }
      theatre.passTo(theatre.nowMs + 1_000);
      for (const seen of theatre.sockets) {
        expect(seen.every((version, index) => index === 0 || !isNewer(seen[index - 1] ?? "0", version))).toBe(true);
        if (newest > 0) expect(seen.at(-1)).toBe(String(newest));
      }
      expectWithinBudget(theatre.sends);
    }),
    { numRuns: 60 },
  );
}, 60_000);

/** Over any stretch of rounds, sends stay within the budget plus the one round that opened the stretch. */
function expectWithinBudget(sends: readonly { atMs: number; count: number }[]): void {
  for (let index = 1; index < sends.length; index++) {
    const before = sends[index - 1];
    const now = sends[index];
    if (!before || !now) continue;
    expect(now.atMs - before.atMs).toBeGreaterThanOrEqual(Math.max(50, (before.count / SENDS_PER_SECOND) * 1_000));
  }
}
