/** Runs before the first paint, so that a chosen theme does not flash. */
import { applyTheme } from "./theme.ts";

applyTheme();
