// The text of a scenario that `q` searches. SQLite derives it from bodies during a search, PostgreSQL stores it.
import { parseScanned } from '../../json/parse.ts'
import { toStorableText } from '../../json/storable-text.ts'

/** The members of a scenario that are searched. */
interface SearchedScenario {
  inputs: { value?: unknown }[]
  outputs: { result: { value?: unknown; error?: { message: string } | null } }[]
  correct_answers?: { value?: unknown }[] | null
  note?: string | null
}

/** Unescaped and in lower case, one value per line. */
export function searchText(scenario: SearchedScenario): string {
  return normalizeSearch(valueTexts(scenario).join('\n'))
}

/** The search text of a stored body. */
export function storedSearchText(body: string): string {
  return searchText(parseBody(body))
}

/** Searches compare texts in this form. */
export function normalizeSearch(text: string): string {
  return toStorableText(text.toLowerCase())
}

/** Returns whether the search text of a stored body contains a text, which must be in the form of `normalizeSearch`. */
export function createBodyMatcher(text: string): (body: string) => boolean {
  const mayContain = createBodyFilter(text)
  const valuePattern = ACROSS_VALUES.test(text) ? undefined : createPattern(text)
  return (body) => {
    if (!mayContain(body)) return false
    if (FIRST_INPUT.exec(body)?.[1]?.includes(text)) return true
    if (!valuePattern) return storedSearchText(body).includes(text)
    return valueTexts(parseBody(body)).some(
      (value) => value.includes(text) || (valuePattern.test(value) && normalizeSearch(value).includes(text)),
    )
  }
}

function valueTexts({ inputs, outputs, correct_answers, note }: SearchedScenario): string[] {
  const values = [
    ...inputs.map(({ value }) => value),
    ...outputs.flatMap(({ result }) => [result.value, result.error?.message]),
    ...(correct_answers ?? []).map(({ value }) => value),
    note,
  ]
  return values
    .filter((value) => value != null)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
}

/** Matches if a name contains an escape. It can also match in a string that contains JSON. */
const ESCAPED_NAME = /\\(?:u[\da-f]{4}|.)[^"\\]*":/i

function parseBody(body: string): SearchedScenario {
  return parseScanned({ text: body, hasEscapedNames: ESCAPED_NAME.test(body) }) as SearchedScenario
}

/** The value of the first input up to an escape: frequent texts are found without parsing the body. */
const FIRST_INPUT =
  /^\{"id":"[^"\\]*","evaluation_id":"[^"\\]*","inputs":\[\{(?:"(?!value")\w+":"[^"\\]*",)*"value":"([^"\\]*)/

/** Texts that can be in two values, in none, or in characters that `createPattern` does not match. */
const ACROSS_VALUES = /^$|\n|\u0307|\ufffd/

/** Matches each text that contains this one in lower case. It can match more. */
function createPattern(text: string): RegExp {
  // The lower case of İ begins with i, but they are not equal when case is ignored.
  const characters = [...text].map((character) => (character === 'i' ? '[iİ]' : RegExp.escape(character)))
  return new RegExp(characters.join(''), 'iu')
}

/** Characters that a body can contain in another form, or whose lower case depends on the characters around them. */
const UNSTABLE_CHARACTERS = /[\p{Cc}"\\/σς]|\u0307/u
/** Outside of strings, JSON consists of these and words. Numbers and the order of members can differ from the body. */
const OUTSIDE_STRINGS = /[\d.+\-[\]{},:]+/

/** Escapes of all characters, and of those that are ASCII characters in lower case or become escapes such as \n. */
const [ESCAPES, ASCII_ESCAPES] = [/\\u/, /\\u(?:00[0-7]|0130|212a)/i]

/** Returns false for most bodies whose search text does not contain the text. Most searches find few rows, and parse only those. */
function createBodyFilter(text: string): (body: string) => boolean {
  const parts = text.split(UNSTABLE_CHARACTERS).toSorted((a, b) => b.length - a.length)
  const isInString = (part: string) =>
    part.split(OUTSIDE_STRINGS).some((word) => !'true false null'.includes(word))
  const part = parts.find(isInString)
  if (part === undefined) return () => true
  const pattern = createPattern(part)
  const escapes = /^\p{ASCII}*$/u.test(part) ? ASCII_ESCAPES : ESCAPES
  return (body) => pattern.test(body) || escapes.test(body)
}
