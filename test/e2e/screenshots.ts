/** Renews docs/images/page-*.png from a stack of its own: `node_modules/.bin/node test/e2e/screenshots.ts`. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "../../client/index.ts";
import { startStack } from "../../local/stack.ts";
import { SERVER_KEY } from "../harness/server-key.ts";
import { until } from "../harness/until.ts";
import { launch, LOOKS, openLive, rows, viewer } from "./browser.ts";

const PLAYERS =
  "ada björk grace kōji nightowl marie linus zoë pixel-pete hedy tim rosalind margaret dorothy katherine".split(" ");

const images = path.resolve(import.meta.dirname, "../../docs/images");
await mkdir(images, { recursive: true });
const dataDir = await mkdtemp(path.join(tmpdir(), "edgeboard-screenshots-"));
const stack = await startStack({ port: 0, partyPort: 0, dataDir, serverKey: SERVER_KEY, cronSeconds: 2 });
const browser = await launch();
try {
  const client = createClient({ baseUrl: stack.info.api, token: SERVER_KEY });
  for (const [index, player] of PLAYERS.entries()) {
    await client.submit("arena", { player, points: 11_840 - index * 640 + ((index * 37) % 200) });
  }
  await until("badges", async () => (await client.badges("arena", "rosalind")).badges.length > 0, 60_000);
  let points = 9_300;
  for (const look of LOOKS) {
    const { page } = await openLive(await viewer(browser, look), `${stack.info.api}/?game=arena&player=rosalind`);
    await page.locator(".badges").waitFor();
    points += 410;
    await client.submit("arena", { player: "hedy", points });
    const text = `hedy ${new Intl.NumberFormat("en").format(points)}`;
    await until("hedy has moved", async () => (await rows(page)).includes(text));
    await until("nothing moves", () => page.evaluate<boolean>("document.querySelectorAll('.entry.rose').length === 1"));
    await page.screenshot({ path: path.join(images, `page-${look.name}.png`), fullPage: look.phone });
    await page.context().close();
  }
} finally {
  await browser.close();
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}
