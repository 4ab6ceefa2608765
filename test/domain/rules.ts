/** Rules of boards for tests: best of `lapMs`, unless said otherwise. */
import { BoardDefinition } from "../../functions/contract/board-definitions.ts";
import { ruleOf, type BoardRule } from "../../functions/domain/board/rule.ts";

export const ruleFor = (definition: Record<string, unknown>): BoardRule =>
  ruleOf(BoardDefinition.parse({ statistic: "lapMs", ...definition }));
