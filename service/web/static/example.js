// The worked example of a rule: played by the engine, looked at fact by fact on a small board.

import { get } from "./api.js";
import { Course } from "./course.js";
import "./panel.js";
import { language } from "./words.js";

const { game, example } = document.getElementById("example").dataset;
const path = `/rulesets/${encodeURIComponent(game)}`;
const [display, played] = await Promise.all([
  get(path),
  get(`${path}/examples/${encodeURIComponent(example)}`, { lang: language }),
]);
if (played.position !== null) {
  const course = new Course(document.getElementById("course"), { display });
  course.show({ ...played, start: played.position }, 0);
}
