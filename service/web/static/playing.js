// Plays a match by itself, an event at a time, at a speed that one chooses.

const BEAT_MS = 1200;
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

export class Playing {
  #setting;
  #beat = 0;
  isOn = false;
  speed = 1;

  /** step(): goes on by an event, false at the end; changed(): called when it starts or stops. */
  constructor(setting) {
    this.#setting = setting;
  }

  start() {
    this.isOn = true;
    this.#setting.changed();
    this.#wait();
  }

  stop() {
    clearTimeout(this.#beat);
    if (!this.isOn) return;
    this.isOn = false;
    this.#setting.changed();
  }

  /** Takes the next speed of the list, by 1 up or −1 down, or a speed of it. */
  shift(by) {
    this.set(SPEEDS[SPEEDS.indexOf(this.speed) + by] ?? this.speed);
  }

  set(speed) {
    this.speed = speed;
    this.#setting.changed();
    if (this.isOn) this.#wait();
  }

  #wait() {
    clearTimeout(this.#beat);
    this.#beat = setTimeout(async () => {
      const isThere = await this.#setting.step();
      if (!this.isOn) return;
      if (isThere) this.#wait();
      else this.stop();
    }, BEAT_MS / this.speed);
  }
}
