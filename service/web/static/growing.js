// A match grows: by its stream while it runs; without spoilers by each event that one goes on to.

import { Refused } from "./api.js";
import { Live } from "./live.js";
import { notice } from "./notice.js";
import { say } from "./words.js";

export class Growing {
  #setting;
  #live;

  /**
   * setting: {match, lines, language, frames, overview, came(end), changed(), ended()}; came: an
   * event came, `end` was the last index before it; changed: the stream broke off or is there again.
   */
  constructor(setting) {
    this.#setting = setting;
    this.#live = new Live({ ...setting, came: (frame) => this.#came(frame) });
  }

  /** Whether the stream is there just now. */
  get isOn() {
    return this.#live.isOn;
  }

  /** Follows a running match with the eyes of a viewer. */
  follow(viewer) {
    if (this.#setting.match.isLive) this.#live.follow(viewer);
  }

  /** Has the match go on by an event if it is watched without spoilers; tells whether it did. */
  async more() {
    const { match, frames, overview } = this.#setting;
    if (!match.isSpoilerFree) return false;
    try {
      this.#grow(await frames.following());
      await overview.load();
      return true;
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      notice(say("match.watched_all"));
      return false;
    }
  }

  #came(frame) {
    const { total } = this.#setting.lines;
    this.#grow(frame);
    this.#setting.came(total);
  }

  #grow(frame) {
    const { frames, lines, overview } = this.#setting;
    const { event } = frame;
    frames.append(frame);
    lines.grow(event);
    overview.grow(event, frames.position({ index: event.seq, step: 0 }));
  }
}
