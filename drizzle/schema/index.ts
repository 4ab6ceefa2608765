export { apiKeys } from "./api-keys.ts";
export { badges } from "./badges.ts";
export { bests } from "./bests.ts";
export { games } from "./games.ts";
export { players } from "./players.ts";
export { reconciliations } from "./reconciliations.ts";
export { submissions } from "./submissions.ts";
