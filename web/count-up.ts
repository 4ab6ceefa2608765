/** Points that count up to their value. */
import { prefersStillness } from "./dom.ts";
import { number } from "./format.ts";

const COUNT_MS = 600;

const shown = new WeakMap<HTMLElement, { value: number; frame: number }>();

/** Lets the number in `element` run to `target`; the first value appears at once. */
export function countTo(element: HTMLElement, target: number): void {
  const before = shown.get(element);
  if (before) cancelAnimationFrame(before.frame);
  if (!before || before.value === target || prefersStillness() || document.hidden) return show(element, target, 0);
  const from = before.value;
  const startedAt = performance.now();
  const tick = (now: number): void => {
    const share = Math.min(1, Math.max(0, (now - startedAt) / COUNT_MS));
    const value = Math.round(from + (target - from) * (1 - (1 - share) ** 3));
    show(element, value, share < 1 ? requestAnimationFrame(tick) : 0);
  };
  show(element, from, requestAnimationFrame(tick));
}

function show(element: HTMLElement, value: number, frame: number): void {
  shown.set(element, { value, frame });
  element.textContent = number(value);
}
