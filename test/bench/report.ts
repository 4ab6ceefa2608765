/** What the benchmark prints: for people, or as JSON. */
import type { Figure } from "./rounds.ts";

export type Line = {
  readonly name: string;
  readonly unit: string;
  readonly figure: Figure;
  /** What issue or README promise; printed with whether it holds. */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number } | undefined;
};

export type Section = { readonly title: string; readonly lines: readonly Line[] };

const show = (value: number) =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString("en")
    : value.toLocaleString("en", { maximumFractionDigits: 3 });

/** True when the median keeps the promise; undefined without one. */
export function holds(line: Line): boolean | undefined {
  if (!line.goal) return undefined;
  return "atLeast" in line.goal ? line.figure.median >= line.goal.atLeast : line.figure.median <= line.goal.atMost;
}

function goalText(line: Line): string {
  if (!line.goal) return "";
  const text = "atLeast" in line.goal ? `≥ ${line.goal.atLeast}` : `≤ ${line.goal.atMost}`;
  return `  goal ${text}: ${holds(line) ? "reached" : "NOT reached"}`;
}

/** One section as text: medians with the spread of the rounds. */
export function formatSection(section: Section): string {
  const width = Math.max(0, ...section.lines.map((line) => line.name.length));
  const rows = section.lines.map((line) => {
    const { median, min, max } = line.figure;
    const spread = min === max ? "" : ` (${show(min)} – ${show(max)})`;
    return `  ${line.name.padEnd(width)}  ${show(median).padStart(10)} ${line.unit}${spread}${goalText(line)}`;
  });
  return [`\n${section.title}`, ...rows].join("\n");
}
