/** Edgeboard from TypeScript, with the client of this repository: a game server submits, a page watches. */
import { createClient, ProblemError } from "../../client/index.ts";

const { API = "http://localhost:8787", KEY = "eb_dev_local_only_0000000000000000", GAME = "arena" } = process.env;

const server = createClient({ baseUrl: API, token: KEY });

// The match and the player name the submission: this process may crash and send it again.
const score = await server.submit(GAME, { player: "ada", points: 1500, country: "DE" }, "match-2-ada");
console.log(score.ranked ? `ada is #${score.rank} of ${score.boardSize}` : "stored; it is ranked in a moment");

const { results } = await server.submitBatch(GAME, [
  { player: "bob", points: 900 },
  { player: "mei", points: 1900 },
]);
for (const result of results) {
  if ("submissionId" in result) console.log(`${result.player} is #${result.rank}`);
  else console.log(`refused: ${result.detail}`);
}

// Reads need no key.
const page = createClient({ baseUrl: API });
const { entries, version } = await page.top(GAME, "current", { n: 3 });
for (const { rank, player, points } of entries) console.log(`${rank}. ${player} ${points}`);

try {
  await page.standing(GAME, "current", "nobody-of-this-name");
} catch (error) {
  // Branch on the code; `detail` is for people.
  if (!(error instanceof ProblemError) || error.code !== "not-ranked") throw error;
  console.log("not ranked yet");
}

// The live top 10, through reconnects and into the next week: first as the room knows it, then after every change.
const watch = page.watchTop(GAME, {
  top(live) {
    console.log(`live: ${live.entries.map(({ player }) => player).join(", ")}`);
    // A page goes on watching; this program ends with a board that is as new as the one it read.
    if (BigInt(live.version) >= BigInt(version)) end();
  },
});
const patience = setTimeout(end, 30_000);

function end(): void {
  clearTimeout(patience);
  watch.close();
}
