/** In every worker: one whose vitest was killed ends, and with it the stack that its file started. */

const ENDS = Symbol.for("edgeboard.ends-with-vitest");

if (!Reflect.has(process, ENDS)) {
  Reflect.set(process, ENDS, true);
  process.once("disconnect", () => process.exit(1));
}
