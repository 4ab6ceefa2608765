/** The browser of the end-to-end lane: Debian's Chromium, installed when it is missing. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

export const CHROMIUM = "/usr/bin/chromium";

/** Installs Chromium by apt-get when it is missing. Throws when that cannot be done. */
export async function ensureChromium(): Promise<void> {
  if (existsSync(CHROMIUM)) return;
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    const [command = "", ...rest] = [...sudo, "apt-get", ...args];
    console.log(`${command} ${rest.join(" ")} (the browser tests need Chromium) …`);
    const { status } = spawnSync(command, rest, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    if (status !== 0)
      throw new Error("Chromium could not be installed; install the Debian package `chromium` and try again");
  }
}
