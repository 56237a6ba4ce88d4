// Groups error messages: messages that differ only in numbers, quoted names, paths and ids have the same group.

/** Groups are cut to this length; later differences are ignored. */
const MAX_GROUP_LENGTH = 200

/** Only this much of a message is read. It exceeds the group length because replacements shorten the text. */
const MAX_READ_LENGTH = 4 * MAX_GROUP_LENGTH

const PLACEHOLDER = '<…>'

/** Replacements, in this order. The lookbehinds prevent repeated scans of the same text (quadratic time). */
const REPLACEMENTS: readonly (readonly [RegExp, string | ((part: string) => string)])[] = [
  // URLs, email addresses and paths come first, because they can contain the patterns below.
  [/(?<!\w)[a-z]{2,10}:\/\/[^\s"'`<>]*[^\s"'`<>.,;:!?)\]}]/gi, PLACEHOLDER],
  [/(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g, PLACEHOLDER],
  [/(?<![\w/.~<])(?:~|\.{1,2})?(?:\/[\w.@%+-]+){2,}\/?/g, PLACEHOLDER],
  [/(?<!\w)[a-z]:\\[^\s"'`<>|]+/gi, PLACEHOLDER],
  // An apostrophe inside a word is not a quotation mark.
  [/"[^"]*"|`[^`]*`|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu, PLACEHOLDER],
  [/(?<=\btoken )\S(?= in JSON)/g, PLACEHOLDER],
  [/(?<!\d)\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)/g, PLACEHOLDER],
  [/[\w-]+/g, (word) => (isIdentifier(word) ? PLACEHOLDER : word)],
  [/\d+(?:[.,:]\d+)*(?:e[+-]?\d+)?/gi, '<n>'],
]

/** Longer words are treated as ids. */
const MAX_WORD_LENGTH = 40

/** Whether letters and digits are mixed as in ids and keys. `3000ms`, `line-12` and `ERR_HTTP2_SESSION` are not ids. */
function isIdentifier(word: string): boolean {
  if (word.length > MAX_WORD_LENGTH || /^0x[\da-f]+$/i.test(word)) return true
  if (!/\d/.test(word) || !/[A-Za-z]/.test(word)) return false
  if (/^[A-Z]+\d?(?:_[A-Z]+\d?)+$/.test(word)) return false
  return !/^(?:-*[A-Za-z]+[-_]?\d+|[\d]+[-_]?[A-Za-z]+|\d+e-?\d+)$/.test(word)
}

export function errorGroup(message: string): string {
  let group = message.slice(0, MAX_READ_LENGTH).replace(/\s+/g, ' ')
  for (const [pattern, replacement] of REPLACEMENTS) group = group.replace(pattern, replacement as string)
  return [...group.trim()].slice(0, MAX_GROUP_LENGTH).join('').toWellFormed()
}
