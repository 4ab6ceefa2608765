import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Breaker } from "../../functions/adapters/breaker.ts";
import { DependencyError, type FailureKind } from "../../functions/domain/errors.ts";

const background = {
  run: (_name: string, work: () => Promise<void>) => void work().catch(() => undefined),
  keep: (work: Promise<void>) => void work,
};
const FEW = 3;
const PAUSE_MS = 500;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.spyOn(console, "info").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function newBreaker() {
  const breaker = new Breaker("redis", { few: FEW, lastingMs: 1_000, pauseMs: PAUSE_MS, patienceMs: 100 });
  let sent = 0;
  const call = (outcome: () => Promise<string>) =>
    breaker.run(() => {
      sent += 1;
      return outcome();
    }, background);
  const answers = () => call(() => Promise.resolve("ok"));
  const fails = async (kind: FailureKind, afterMs = 0) => {
    const failing = call(async () => {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      throw new DependencyError("redis", kind, "test");
    }).catch((error: unknown) => (error instanceof DependencyError ? error.kind : "another"));
    await vi.advanceTimersByTimeAsync(afterMs);
    return failing;
  };
  const giveUp = async () => {
    await Promise.all(Array.from({ length: FEW }, () => fails("slow", 2_000)));
    expect(breaker.open).toBe(true);
  };
  return { breaker, answers, fails, giveUp, call, sent: () => sent };
}

describe("a breaker", () => {
  it("gives up after a few calls whose answers were waited for in vain, all at once or one by one", async () => {
    const together = newBreaker();
    await together.giveUp();
    const oneByOne = newBreaker();
    for (let n = 0; n < FEW; n += 1) expect(await oneByOne.fails("slow", 2_000)).toBe("slow");
    expect(oneByOne.breaker.open).toBe(true);
    expect(await oneByOne.answers().catch((error: DependencyError) => error.kind)).toBe("not-asked");
    expect(oneByOne.sent()).toBe(FEW);
  });

  it("does not take a burst of broken connections for an outage, but one that lasts", async () => {
    const { breaker, fails } = newBreaker();
    for (let n = 0; n < 20; n += 1) await fails("unreachable");
    expect(breaker.open).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await fails("unreachable");
    expect(breaker.open).toBe(true);
  });

  it("does not count calls that were sent before others were answered", async () => {
    const { breaker, answers, call } = newBreaker();
    const slow = async (): Promise<string> => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      throw new DependencyError("redis", "slow", "test");
    };
    const late = Array.from({ length: 20 }, () => call(slow).catch(() => "slow"));
    await vi.advanceTimersByTimeAsync(1);
    await answers();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(new Set(await Promise.all(late))).toEqual(new Set(["slow"]));
    expect(breaker.open).toBe(false);
  });

  it("is not impressed by refusals: they are answers", async () => {
    const { breaker, fails } = newBreaker();
    for (let n = 0; n < 20; n += 1) await fails("refused", 500);
    expect(breaker.open).toBe(false);
    for (let n = 0; n < 20; n += 1) {
      await fails("slow", 2_000);
      await fails("refused");
    }
    expect(breaker.open).toBe(false);
  });

  it("lets one call through after a pause, and all once that one is answered", async () => {
    const { breaker, answers, giveUp, call, sent } = newBreaker();
    await giveUp();
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    let answer: (text: string) => void = () => undefined;
    const trying = call(() => new Promise((resolve) => (answer = resolve)));
    for (let n = 0; n < 5; n += 1) await expect(answers()).rejects.toThrow("not-asked");
    expect(sent()).toBe(FEW + 1);
    answer("late");
    expect(await trying).toBe("late");
    expect(breaker.open).toBe(false);
    expect(await answers()).toBe("ok");
  });

  it("does not let the caller of that one call wait for long, but hears its answer", async () => {
    const { breaker, giveUp, call } = newBreaker();
    await giveUp();
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    const trying = call(() => new Promise((resolve) => setTimeout(() => resolve("late"), 1_000)));
    const refused = expect(trying).rejects.toThrow("slow, trying");
    await vi.advanceTimersByTimeAsync(100);
    await refused;
    expect(breaker.open).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(breaker.open).toBe(false);
  });

  it("gives up again when that one is not answered, and tries again after the next pause", async () => {
    const { breaker, answers, fails, giveUp } = newBreaker();
    await giveUp();
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    await fails("slow", 50);
    await expect(answers()).rejects.toThrow("not-asked");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(await answers()).toBe("ok");
    expect(breaker.open).toBe(false);
  });

  it("lets another call try when the request of that one ended before its call did", async () => {
    const { answers, giveUp, call } = newBreaker();
    await giveUp();
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    const never = expect(call(() => new Promise(() => undefined))).rejects.toThrow("slow, trying");
    await vi.advanceTimersByTimeAsync(5_000);
    await never;
    await expect(answers()).rejects.toThrow("not-asked");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await answers()).toBe("ok");
  });

  it("does not count calls that only follow it", async () => {
    const { breaker, giveUp } = newBreaker();
    for (let n = 0; n < 20; n += 1) {
      const following = breaker.follow(() => Promise.reject(new DependencyError("redis", "slow", "test")));
      await expect(following).rejects.toThrow("slow");
    }
    expect(breaker.open).toBe(false);
    await giveUp();
    await expect(breaker.follow(() => Promise.resolve("ok"))).rejects.toThrow("not-asked");
  });
});
