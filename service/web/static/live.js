// Follows a running match: each event comes with its frame; a break is mended from where it was.

const ROOT = "/api/v1";
const AGAIN_MS = 5000;

export class Live {
  #setting;
  #source = null;
  #again = 0;
  isOn = false;

  /** setting: {match, lines, language, came(frame), changed(), ended()}. */
  constructor(setting) {
    this.#setting = setting;
  }

  /** Follows with the eyes of a viewer from the present end of the match on. */
  follow(viewer) {
    const { match, lines, language } = this.#setting;
    this.stop();
    const query = new URLSearchParams({ as: viewer, lang: language, from: lines.total });
    const source = new EventSource(`${ROOT}/matches/${encodeURIComponent(match.id)}/live?${query}`);
    this.#source = source;
    source.addEventListener("open", () => this.#set(true));
    source.addEventListener("error", () => this.#mend(source, viewer));
    source.addEventListener("frame", ({ data }) => this.#setting.came(JSON.parse(data)));
    source.addEventListener("gone", () => this.stop());
    source.addEventListener("end", () => {
      this.stop();
      this.#setting.ended();
    });
  }

  stop() {
    clearTimeout(this.#again);
    this.#source?.close();
    this.#source = null;
    this.#set(false);
  }

  /** The browser comes back by itself after a break, but not after a refusal. */
  #mend(source, viewer) {
    this.#set(false);
    if (source.readyState !== EventSource.CLOSED) return;
    this.#again = setTimeout(() => this.follow(viewer), AGAIN_MS);
  }

  #set(isOn) {
    if (this.isOn === isOn) return;
    this.isOn = isOn;
    this.#setting.changed();
  }
}
