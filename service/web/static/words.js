// The words of a page in its language; the page brings them along.

const texts = JSON.parse(document.querySelector("[data-texts]").dataset.texts);

export const language = document.documentElement.lang;

/** A text of the page with its `{fields}` filled in. */
export function say(key, fields = {}) {
  return texts[key].replace(/\{(\w+)\}/g, (_, name) => fields[name]);
}

/** The word of a pair {ja, en}, or what stands for it where there is none. */
export function word(both, otherwise = "") {
  return both?.[language] ?? otherwise;
}

/** The field `name_ja` or `name_en` of a definition, in the language of the page or the other. */
export function named(definition, field) {
  return (
    definition[`${field}_${language}`] ??
    definition[`${field}_ja`] ??
    definition[`${field}_en`] ??
    ""
  );
}
