// The panel of notes: those on the present event, and the form with which one writes another.

import { Refused } from "./api.js";
import { button, element, icon, keepingFocus } from "./elements.js";
import { onSubmit, renew } from "./forms.js";
import { notice } from "./notice.js";
import { language, say } from "./words.js";

const ICONS = { private: "lock", judges: "scales", public: "eye" };
const LOCALE = language === "en" ? "en-GB" : language;
const MOMENT = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const $ = (id) => document.getElementById(id);

/** A sign that stands with an event that has notes. */
export function noteSign(count) {
  const text = element("span", { class: "sr" }, say("notes.count", { count }));
  return element("span", { class: "note-sign" }, icon("mark-note"), text);
}

export class NotesPanel {
  #notes;
  #panel = $("notes");
  #form = $("note-form");
  #seq = 0;
  #begun = null;
  #asked = null;
  #listed = "";

  constructor(notes) {
    this.#notes = notes;
    if (this.#form) this.#listen();
  }

  /** Shows the notes on an event; 0: there is none yet. */
  show(seq) {
    this.#seq = seq;
    this.draw();
  }

  /** Unfolds the panel and brings its form into sight. */
  open() {
    this.#panel.open = true;
    this.#panel.scrollIntoView({ block: "nearest" });
    const field = this.#form && !this.#form.hidden ? this.#form.elements.body : null;
    (field ?? this.#panel.querySelector("summary")).focus();
  }

  draw() {
    const notes = this.#notes.at(this.#seq);
    $("notes-count").textContent = notes.length || "";
    $("notes-said").textContent = this.#said(notes.length);
    this.#list(notes);
    this.#name();
  }

  /** Lists notes; while they are the same, what one is about to press stays. */
  #list(notes) {
    const listed = JSON.stringify([this.#asked, ...notes]);
    if (listed === this.#listed) return;
    this.#listed = listed;
    keepingFocus($("notes-list"), () => {
      $("notes-list").replaceChildren(...notes.map((note) => this.#row(note)));
    });
  }

  #said(count) {
    if (this.#notes.isMissing) return say("notes.failed");
    if (this.#seq === 0) return say("notes.before");
    return count > 0 ? "" : say("notes.none", { seq: this.#seq });
  }

  #row(note) {
    const { audience, name, time } = note;
    return element(
      "li",
      { class: "noted" },
      element(
        "p",
        { class: "noted-head" },
        element("span", {}, icon(ICONS[audience]), say(`notes.audience.${audience}`)),
        element("bdi", {}, name ?? say("notes.erased")),
        element("time", { datetime: time }, MOMENT.format(new Date(time))),
      ),
      element("p", { class: "noted-body", dir: "auto" }, note.body),
      note.removable ? this.#tools(note) : null,
    );
  }

  /** The button that removes a note; it asks once more before. */
  #tools(note) {
    const isOwn = note.author === this.#panel.dataset.person;
    const label = say(isOwn ? "notes.withdraw" : "notes.remove");
    if (this.#asked !== note.id) {
      const ask = { class: "btn plain", "data-key": `ask ${note.id}` };
      return element("p", { class: "row end" }, button(ask, () => this.#ask(note), label));
    }
    const sure = { class: "btn danger", "data-key": `sure ${note.id}` };
    return element(
      "p",
      { class: "row end", role: "group", "aria-label": label },
      element("span", { class: "small" }, say("notes.sure")),
      button(sure, () => this.#remove(note), label),
      button({ class: "btn" }, () => this.#ask(null, note), say("notes.keep")),
    );
  }

  /** Asks whether a note shall go, or no longer; the focus goes where one answers. */
  #ask(note, before = note) {
    this.#asked = note?.id ?? null;
    this.draw();
    $("notes-list").querySelector(`[data-key="${note ? "sure" : "ask"} ${before.id}"]`)?.focus();
  }

  async #remove(note) {
    this.#asked = null;
    try {
      await this.#notes.remove(note);
      notice(say("notes.gone"));
    } catch (fault) {
      notice(fault instanceof Refused ? fault.message : say("form.unreached"));
      this.draw();
    }
    this.#panel.querySelector("summary").focus();
  }

  // ---- writing

  /** What is begun at an event is written there, also if the match goes on meanwhile. */
  #listen() {
    const { body } = this.#form.elements;
    body.addEventListener("input", () => {
      this.#begun = body.value ? (this.#begun ?? this.#seq) : null;
      this.#name();
    });
    onSubmit(this.#form, (key) => this.#write(key));
  }

  #name() {
    if (!this.#form) return;
    const seq = this.#begun ?? this.#seq;
    this.#form.hidden = seq === 0;
    this.#form.elements.seq.value = seq;
    $("note-on").textContent = say("notes.write", { seq });
  }

  async #write(key) {
    const { seq, audience, body } = Object.fromEntries(new FormData(this.#form));
    await this.#notes.write({ seq: Number(seq), audience, body: body.normalize("NFC") }, key);
    this.#begun = null;
    renew(this.#form);
    this.draw();
    notice(say("notes.added"));
  }
}
