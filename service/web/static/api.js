// Asks the public API; everything that moves on a page comes through here.

const ROOT = "/api/v1";
const LATER = 202;
const EMPTY = 204;
const WAIT_MS = 1000;
const ASKED_MAX = 600;

/** The API refused; the message is its title, in the language of the page; problem: its body. */
export class Refused extends Error {
  constructor(title, problem = {}) {
    super(title);
    this.problem = problem;
  }
}

/** The answer to a GET as a value; throws `Refused` with the title of the problem. */
export function get(path, query = {}) {
  return answered(path, query, { headers: { Accept: "application/json" } });
}

/** The bytes of an answer to a GET; throws `Refused`. */
export async function getBytes(path, query = {}) {
  const response = await fetch(`${ROOT}${path}?${new URLSearchParams(query)}`);
  if (response.ok) return response.arrayBuffer();
  const problem = await response.json();
  throw new Refused(problem.title, problem);
}

/** The answer to a POST of a body of a media type, from whoever it is; throws `Refused`. */
export async function post(path, { query = {}, type, body }) {
  const isSignedIn = document.getElementById("sign-out") !== null;
  const headers = isSignedIn ? await signedHeaders(type) : headersOf(type);
  return answered(path, query, { method: "POST", headers, body });
}

/**
 * The answer to a command of who is signed in, null if it has no body; throws `Refused`. key: a
 * command that comes again with it is answered, not done again.
 */
export async function send(path, body, { method = "POST", key } = {}) {
  const headers = await signedHeaders("application/json");
  if (key) headers["Idempotency-Key"] = key;
  const options = { method, headers, body: body && JSON.stringify(body) };
  return answered(path, { lang: document.documentElement.lang }, options);
}

function headersOf(type) {
  return { Accept: "application/json", "Content-Type": type };
}

/** What a change needs that comes with the cookie of a session. */
async function signedHeaders(type) {
  const { csrf_token: token } = await get("/sessions/current");
  return { ...headersOf(type), "X-CSRFToken": token };
}

async function answered(path, query, options) {
  const response = await fetch(`${ROOT}${path}?${new URLSearchParams(query)}`, options);
  const body = response.status === EMPTY ? null : await response.json();
  if (!response.ok) throw new Refused(body.title, body);
  return response.status === LATER ? finished(response.headers.get("Location")) : body;
}

/** The answer to a job, which the service does beside; throws `Refused`. */
async function finished(address) {
  for (let asked = 0; asked < ASKED_MAX; asked += 1) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    const { answer } = await (await fetch(address)).json();
    if (answer?.status >= 400) throw new Refused(Object.values(answer.body).flat().join(" "));
    if (answer) return answer.body;
  }
  throw new Refused(address);
}
