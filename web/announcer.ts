/** One line that calls out who went up; also read by screen readers, hence never faster than it can be read. */
import type { AnnouncementMessage } from "../client/index.ts";
import { make, update } from "./dom.ts";
import { number } from "./format.ts";
import { nameElement } from "./names.ts";

const READING_MS = 3_000;
const SHOWN_MS = 8_000;

export class Announcer {
  readonly #line: HTMLElement;
  #waiting: AnnouncementMessage | undefined;
  #reading = false;
  #fade: ReturnType<typeof setTimeout> | undefined;

  constructor(line: HTMLElement) {
    this.#line = line;
  }

  /** Calls it out now or after the one being read; of several that wait, the best place is kept. */
  call(announcement: AnnouncementMessage): void {
    if (!this.#waiting || announcement.rank <= this.#waiting.rank) this.#waiting = announcement;
    if (!this.#reading) this.#next();
  }

  clear(): void {
    this.#waiting = undefined;
    update(this.#line);
  }

  #next(): void {
    const announcement = this.#waiting;
    this.#waiting = undefined;
    this.#reading = announcement !== undefined;
    if (!announcement) return;
    update(this.#line, nameElement(announcement.player), make("span", "", ` is now #${number(announcement.rank)}`));
    clearTimeout(this.#fade);
    this.#fade = setTimeout(() => update(this.#line), SHOWN_MS);
    setTimeout(() => this.#next(), READING_MS);
  }
}
