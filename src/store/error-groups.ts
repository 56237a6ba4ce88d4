// Error messages that differ only in their numbers, names and keys are one group: the message with those taken out.

/** What is kept of a message; messages that differ behind it are one group. */
const SHOWN = 200

/** So much is looked at: where parts are taken out, less may be left than is shown. */
const READ = 4 * SHOWN

const OUT = '<…>'

/**
 * What is taken out, in this order. Each begins where no other can have begun before, so that no text is gone over
 * again and again.
 */
const PARTS: readonly (readonly [RegExp, string | ((part: string) => string)])[] = [
  // Addresses and paths first: they may hold anything that follows.
  [/(?<!\w)[a-z]{2,10}:\/\/[^\s"'`<>]*[^\s"'`<>.,;:!?)\]}]/gi, OUT],
  [/(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g, OUT],
  [/(?<![\w/.~<])(?:~|\.{1,2})?(?:\/[\w.@%+-]+){2,}\/?/g, OUT],
  [/(?<!\w)[a-z]:\\[^\s"'`<>|]+/gi, OUT],
  // An apostrophe inside a word is none that quotes.
  [/"[^"]*"|`[^`]*`|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu, OUT],
  [/(?<=\btoken )\S(?= in JSON)/g, OUT],
  [/(?<!\d)\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)/g, OUT],
  [/[\w-]+/g, (word) => (isKey(word) ? OUT : word)],
  [/\d+(?:[.,:]\d+)*(?:e[+-]?\d+)?/gi, '<n>'],
]

/** No word of a language is so long. */
const LONGEST_WORD = 40

/** Whether letters and digits are mixed as in ids and keys; not so in `3000ms`, `line-12` or `ERR_HTTP2_SESSION`. */
function isKey(word: string): boolean {
  if (word.length > LONGEST_WORD || /^0x[\da-f]+$/i.test(word)) return true
  if (!/\d/.test(word) || !/[A-Za-z]/.test(word)) return false
  if (/^[A-Z]+\d?(?:_[A-Z]+\d?)+$/.test(word)) return false
  return !/^(?:-*[A-Za-z]+[-_]?\d+|[\d]+[-_]?[A-Za-z]+|\d+e-?\d+)$/.test(word)
}

export function errorGroup(message: string): string {
  let group = message.slice(0, READ).replace(/\s+/g, ' ')
  for (const [part, name] of PARTS) group = group.replace(part, name as string)
  return [...group.trim()].slice(0, SHOWN).join('').toWellFormed()
}
