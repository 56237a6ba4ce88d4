// Serializes a scenario as a preview row: long texts are truncated and listed in `cut`. Short values keep their exact
// text.
import { elementTexts, memberTexts, unescaped } from '../json/member-texts.ts'

/** A row: its position, the members of the scenario, and `cut` with pointers to truncated texts. */
export function previewRow(position: number, body: string, preview: number): string {
  const truncator = new Truncator(preview)
  const members: string[] = [`"position":${position}`]
  for (const [name, text] of memberTexts(body)) {
    if (name === 'evaluation_id') continue
    const truncateMember = TRUNCATIONS[name]
    members.push(`"${name}":${truncateMember ? truncateMember(truncator, text, `/${name}`) : text}`)
  }
  return `{${members.join(',')},"cut":${JSON.stringify(truncator.cut)}}`
}

type Truncation = (truncator: Truncator, text: string, pointer: string) => string

const value: Truncation = (truncator, text, pointer) => truncator.text(text, pointer)
const error = object({ message: value, stacktrace: value })
const result = object({ value, error })

const TRUNCATIONS: Record<string, Truncation> = {
  inputs: list(object({ value })),
  outputs: list(object({ result })),
  correct_answers: list(object({ value })),
  note: value,
  results: list(object({ result })),
}

/** Optional members can be null, which stays null. */
function object(truncations: Record<string, Truncation>): Truncation {
  return (truncator, text, pointer) => {
    if (text === 'null' || truncator.fits(text)) return text
    const members = [...memberTexts(text)].map(
      ([name, member]) =>
        `"${name}":${truncations[name]?.(truncator, member, `${pointer}/${name}`) ?? member}`,
    )
    return `{${members.join(',')}}`
  }
}

function list(truncateElement: Truncation): Truncation {
  return (truncator, text, pointer) => {
    if (text === 'null' || truncator.fits(text)) return text
    return `[${elementTexts(text).map((element, index) => truncateElement(truncator, element, `${pointer}/${index}`))}]`
  }
}

class Truncator {
  readonly #preview: number
  readonly cut: string[] = []

  constructor(preview: number) {
    this.#preview = preview
  }

  /** Whether the value is so short that nothing in it can be too long. */
  fits(json: string): boolean {
    return json.length <= this.#preview
  }

  /** A value that is not a string is truncated as JSON text and becomes a string. */
  text(json: string, pointer: string): string {
    if (this.fits(json)) return json
    const text = json.startsWith('"') ? unescaped(json) : json
    const start = firstCharacters(text, this.#preview)
    if (start.length === text.length) return json
    this.cut.push(pointer)
    return JSON.stringify(start)
  }
}

/** Counts code points. Most texts have no surrogate pairs. */
function firstCharacters(text: string, count: number): string {
  const start = text.slice(0, count)
  return /[\ud800-\udfff]/.test(start) ? [...text.slice(0, 2 * count)].slice(0, count).join('') : start
}
