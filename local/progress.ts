/** Progress of a long job at a terminal: one line that is redrawn; elsewhere a line now and then. */

const REDRAW_MS = 100;
const LINE_EVERY_MS = 5_000;
const BAR_WIDTH = 28;

export type Progress = {
  /** Says how much is done; draws when it is time to. */
  update(done: number): void;
  /** Draws the last state and ends the line. */
  end(): void;
};

function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function describe(label: string, done: number, total: number, elapsedMs: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const rate = done / Math.max(0.001, elapsedMs / 1000);
  const bar = "█".repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, "·");
  const left = rate > 0 ? duration((total - done) / rate) : "–";
  const counts = `${done.toLocaleString("en")}/${total.toLocaleString("en")}`;
  return `${label} ${bar} ${Math.floor(share * 100)} %  ${counts}  ${Math.round(rate).toLocaleString("en")}/s  ${left} left`;
}

/** Starts showing the progress of `total` steps on stderr. */
export function startProgress(label: string, total: number, out: NodeJS.WriteStream = process.stderr): Progress {
  const startedAt = Date.now();
  let done = 0;
  let drawnAt = startedAt;
  const draw = () => {
    const line = describe(label, done, total, Date.now() - startedAt);
    out.write(out.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
    drawnAt = Date.now();
  };
  return {
    update(now) {
      done = now;
      if (Date.now() - drawnAt >= (out.isTTY ? REDRAW_MS : LINE_EVERY_MS)) draw();
    },
    end() {
      draw();
      if (out.isTTY) out.write("\n");
    },
  };
}
