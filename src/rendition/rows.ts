// A scenario as a row of a table on a screen: the same members with long texts cut, and where they were cut. What is
// short stays to the letter as it was written.
import { elementTexts, memberTexts, unescaped } from '../json/slices.ts'

/** The text of a row: its position, the members of the scenario, and `cut`: pointers to what is not whole. */
export function previewRow(position: number, body: string, preview: number): string {
  const cutter = new Cutter(preview)
  const members: string[] = [`"position":${position}`]
  for (const [name, text] of memberTexts(body)) {
    if (name === 'evaluation_id') continue
    const cut = CUTS[name]
    members.push(`"${name}":${cut ? cut(cutter, text, `/${name}`) : text}`)
  }
  return `{${members.join(',')},"cut":${JSON.stringify(cutter.cut)}}`
}

type Cut = (cutter: Cutter, text: string, pointer: string) => string

const whole: Cut = (cutter, text, pointer) => cutter.text(text, pointer)
const error = object({ message: whole, stacktrace: whole })
const result = object({ value: whole, error })

const CUTS: Record<string, Cut> = {
  inputs: list(object({ value: whole })),
  outputs: list(object({ result })),
  correct_answers: list(object({ value: whole })),
  note: whole,
  results: list(object({ result })),
}

/** Null, as every optional member may be, stays null. */
function object(cuts: Record<string, Cut>): Cut {
  return (cutter, text, pointer) => {
    if (text === 'null' || cutter.fits(text)) return text
    const members = [...memberTexts(text)].map(
      ([name, member]) => `"${name}":${cuts[name]?.(cutter, member, `${pointer}/${name}`) ?? member}`,
    )
    return `{${members.join(',')}}`
  }
}

function list(cut: Cut): Cut {
  return (cutter, text, pointer) => {
    if (text === 'null' || cutter.fits(text)) return text
    return `[${elementTexts(text).map((element, index) => cut(cutter, element, `${pointer}/${index}`))}]`
  }
}

class Cutter {
  readonly #preview: number
  readonly cut: string[] = []

  constructor(preview: number) {
    this.#preview = preview
  }

  /** Whether nothing inside can be too long. */
  fits(json: string): boolean {
    return json.length <= this.#preview
  }

  /** A value that is not a text is cut as its JSON, and is a text then. */
  text(json: string, pointer: string): string {
    if (this.fits(json)) return json
    const text = json.startsWith('"') ? unescaped(json) : json
    const start = firstCharacters(text, this.#preview)
    if (start.length === text.length) return json
    this.cut.push(pointer)
    return JSON.stringify(start)
  }
}

/** A character is one unit or two; most texts have none of two. */
function firstCharacters(text: string, count: number): string {
  const start = text.slice(0, count)
  return /[\ud800-\udfff]/.test(start) ? [...text.slice(0, 2 * count)].slice(0, count).join('') : start
}
