// While the bar is dragged: one board a frame, and one window at a time is fetched.

export class Dragging {
  #setting;
  #frame = 0;
  #isPulling = false;

  /** setting: {frames, placeOf(), load(place), show()}; placeOf(): what the hand is over. */
  constructor(setting) {
    this.#setting = setting;
  }

  /** The hand has moved. */
  moved() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#setting.show();
    });
    this.#pull();
  }

  /** Fetches what the hand is over; a long sweep asks for little of what it passes. */
  async #pull() {
    const { frames, load, show, placeOf } = this.#setting;
    const place = placeOf();
    if (this.#isPulling || frames.has(place)) return;
    this.#isPulling = true;
    await load(place);
    this.#isPulling = false;
    show();
    if (placeOf().index !== place.index) this.#pull();
  }
}
