// Asks the public API; everything that moves on a page comes through here.

const ROOT = "/api/v1";

/** The answer to a GET as a value; throws with the title of the problem. */
export async function get(path, query = {}) {
  const search = new URLSearchParams(query);
  const response = await fetch(`${ROOT}${path}?${search}`, {
    headers: { Accept: "application/json" },
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.title);
  return body;
}
