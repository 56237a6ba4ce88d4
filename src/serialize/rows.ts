// Serializes a scenario as a preview row. Long texts are truncated; `cut` lists JSON pointers to them. Values that are
// not truncated keep their exact JSON text.
import { splitElements, splitMembers, unescapeString } from '../json/member-texts.ts'

/** A row: its position, the members of the scenario, and `cut` with pointers to truncated texts. */
export function previewRow(position: number, body: string, maxLength: number): string {
  const truncator = new Truncator(maxLength)
  const members: string[] = [`"position":${position}`]
  for (const [name, text] of splitMembers(body)) {
    if (name === 'evaluation_id') continue
    const truncateMember = TRUNCATIONS[name]
    members.push(`"${name}":${truncateMember ? truncateMember(truncator, text, `/${name}`) : text}`)
  }
  return `{${members.join(',')},"cut":${JSON.stringify(truncator.cut)}}`
}

type Truncation = (truncator: Truncator, text: string, pointer: string) => string

const truncateValue: Truncation = (truncator, text, pointer) => truncator.truncate(text, pointer)
const truncateError = objectTruncation({ message: truncateValue, stacktrace: truncateValue })
const truncateResult = objectTruncation({ value: truncateValue, error: truncateError })

const TRUNCATIONS: Record<string, Truncation> = {
  inputs: arrayTruncation(objectTruncation({ value: truncateValue })),
  outputs: arrayTruncation(objectTruncation({ result: truncateResult })),
  correct_answers: arrayTruncation(objectTruncation({ value: truncateValue })),
  note: truncateValue,
  results: arrayTruncation(objectTruncation({ result: truncateResult })),
}

/** Truncates members of an object. Optional objects can be null, which stays null. */
function objectTruncation(truncations: Record<string, Truncation>): Truncation {
  return (truncator, text, pointer) => {
    if (text === 'null' || truncator.fits(text)) return text
    const members = [...splitMembers(text)].map(
      ([name, member]) =>
        `"${name}":${truncations[name]?.(truncator, member, `${pointer}/${name}`) ?? member}`,
    )
    return `{${members.join(',')}}`
  }
}

function arrayTruncation(truncateElement: Truncation): Truncation {
  return (truncator, text, pointer) => {
    if (text === 'null' || truncator.fits(text)) return text
    return `[${splitElements(text).map((element, index) => truncateElement(truncator, element, `${pointer}/${index}`))}]`
  }
}

class Truncator {
  readonly #maxLength: number
  readonly cut: string[] = []

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** Whether the JSON text is within the limit. Then every text in it is, too. */
  fits(json: string): boolean {
    return json.length <= this.#maxLength
  }

  /** A value that is not a string is truncated as JSON text and becomes a string. */
  truncate(json: string, pointer: string): string {
    if (this.fits(json)) return json
    const text = json.startsWith('"') ? unescapeString(json) : json
    const start = firstCodePoints(text, this.#maxLength)
    if (start.length === text.length) return json
    this.cut.push(pointer)
    return JSON.stringify(start)
  }
}

/** Splits into code points only if there are surrogates, because splitting is slow. */
function firstCodePoints(text: string, count: number): string {
  const start = text.slice(0, count)
  return /[\ud800-\udfff]/.test(start) ? [...text.slice(0, 2 * count)].slice(0, count).join('') : start
}
