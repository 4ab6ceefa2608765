/** The model's state: what was accepted, what a moderator did to it, and what of it counts now. */
import { countryIn, effectOf, placeOf, boardOf, type Row } from "./model.ts";

export type Body = {
  readonly player: string;
  readonly points: number;
  /** `XX` is none. */
  readonly country: string;
  readonly submittedAt?: string;
};

/** A submission that was accepted once. */
export type Sent = { readonly body: Body; readonly key: string; readonly row: Row };

export class World {
  readonly sent: Sent[] = [];
  readonly #removed = new Set<string>();
  readonly #banned = new Set<string>();
  readonly #deleted = new Set<string>();
  /** Weeks that ever had a submission. */
  readonly weeks = new Set<string>();
  /** What the feed shows, oldest first: a ban takes events away that lifting it does not bring back. */
  feed: Row[] = [];
  /** False while retries may bring single events back. */
  feedIsSure = true;
  /** True after a moderator's action: whatever was on its way then may undo it for a moment, until it is corrected. */
  moderated = false;
  /** False once players left a week whose estimate still counts them, or came back to one that does not. */
  estimateIsSure = true;

  /** What counts, in the order of acceptance. */
  get rows(): Row[] {
    return this.sent.flatMap(({ row }) =>
      this.#removed.has(row.submissionId) || this.#banned.has(row.player) || this.#isGone(row) ? [] : [row],
    );
  }

  /** Deleted players may not come back within the tests, so every row of theirs is from before. */
  #isGone(row: Row): boolean {
    return this.#deleted.has(row.player);
  }

  accept(sent: Sent) {
    const { week, player } = sent.row;
    const before = this.rows;
    this.sent.push(sent);
    this.feed.push(sent.row);
    this.weeks.add(week);
    const after = this.rows;
    return { week: effectOf(before, after, week, player), allTime: effectOf(before, after, "all-time", player) };
  }

  /** Where a player stands, as answers say it. */
  standing(week: string, player: string) {
    const { rows } = this;
    const country = countryIn(rows, week, player);
    return {
      rank: placeOf(rows, week, player)?.rank,
      boardSize: boardOf(rows, week).length,
      country: country ?? null,
      countryRank: country === undefined ? null : placeOf(rows, week, player, country)?.rank,
      allTime: { rank: placeOf(rows, "all-time", player)?.rank },
    };
  }

  /** Why a new submission of a player is refused. */
  refusal(player: string): "player-banned" | "player-deleted" | undefined {
    if (this.#banned.has(player)) return "player-banned";
    return this.#deleted.has(player) ? "player-deleted" : undefined;
  }

  /** Why a retry of an accepted submission is refused. */
  refusalOfRetry({ row }: Sent) {
    if (!this.#isGone(row) && this.#removed.has(row.submissionId)) return "submission-removed";
    return this.refusal(row.player);
  }

  /** Whether the service still knows the submission, counting or not. */
  knows({ row }: Sent): boolean {
    return !this.#isGone(row);
  }

  /** Whether the service has a submission of the player, counting or not. */
  hasSubmitted(player: string): boolean {
    return this.sent.some((sent) => sent.row.player === player && this.knows(sent));
  }

  remove({ row }: Sent): void {
    this.#removed.add(row.submissionId);
    this.moderated = true;
    this.estimateIsSure = false;
    this.feed = this.feed.filter((shown) => shown.submissionId !== row.submissionId);
  }

  ban(player: string): void {
    this.#banned.add(player);
    this.#forget(player);
  }

  unban(player: string): void {
    if (!this.#banned.delete(player)) return;
    // The player comes back to the boards, but not into an estimate that was made anew without them.
    this.moderated = true;
    this.estimateIsSure = false;
    if (this.rows.some((row) => row.player === player)) this.feedIsSure = false;
  }

  /** Lifts a ban too: nothing of the player stays but that they were deleted. */
  deletePlayer(player: string): void {
    this.#deleted.add(player);
    this.#banned.delete(player);
    this.#forget(player);
  }

  #forget(player: string): void {
    this.moderated = true;
    this.estimateIsSure = false;
    this.feed = this.feed.filter((shown) => shown.player !== player);
  }

  /** Redis was made anew from what counts. */
  healed(): void {
    this.feed = this.rows;
    this.feedIsSure = true;
    this.estimateIsSure = true;
  }
}
