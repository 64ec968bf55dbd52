// Asks the public API; everything that moves on a page comes through here.

const ROOT = "/api/v1";

/** The API refused; the message is its title, in the language of the page. */
export class Refused extends Error {}

/** The answer to a GET as a value; throws `Refused` with the title of the problem. */
export function get(path, query = {}) {
  return answered(path, query, { headers: { Accept: "application/json" } });
}

/** The answer to a POST of a body of a media type; throws `Refused`. */
export function post(path, { query = {}, type, body }) {
  const headers = { Accept: "application/json", "Content-Type": type };
  return answered(path, query, { method: "POST", headers, body });
}

async function answered(path, query, options) {
  const response = await fetch(`${ROOT}${path}?${new URLSearchParams(query)}`, options);
  const body = await response.json();
  if (!response.ok) throw new Refused(body.title);
  return body;
}
