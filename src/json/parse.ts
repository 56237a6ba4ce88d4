// The value of a text that was scanned.
import type { Scanned } from './scan.ts'
import { stringEnd } from './slices.ts'

/**
 * JSON.parse of Node 26 (V8 14.6) may take a name that is written with an escape for another one that it has met
 * before and that holds a backslash: behind {"\\":1} it reads {"\u0000":2} as {"\\":2}. So texts with such names
 * are read here, one name at a time.
 */
export function parseScanned({ text, hasEscapedNames }: Pick<Scanned, 'text' | 'hasEscapedNames'>): unknown {
  return hasEscapedNames ? new Reading(text).value() : JSON.parse(text)
}

class Reading {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): unknown {
    const first = this.#text[this.#at]
    if (first === '{') return this.#object()
    if (first === '[') return this.#array()
    return this.#scalar(first === '"' ? stringEnd(this.#text, this.#at) : this.#wordEnd())
  }

  #array(): unknown[] {
    const elements: unknown[] = []
    while (this.#goesOn(']')) elements.push(this.value())
    return elements
  }

  #object(): object {
    const members: [string, unknown][] = []
    while (this.#goesOn('}')) {
      const name = this.#scalar(stringEnd(this.#text, this.#at)) as string
      this.#at += 1
      members.push([name, this.value()])
    }
    // Unlike an assignment it makes `__proto__` a member like any other.
    return Object.fromEntries(members)
  }

  /** Steps over an opening bracket, a comma or the closing bracket: whether something comes before the last. */
  #goesOn(closing: string): boolean {
    if (this.#text[this.#at] !== closing) this.#at += 1
    if (this.#text[this.#at] !== closing) return true
    this.#at += 1
    return false
  }

  #scalar(end: number): unknown {
    const text = this.#text.slice(this.#at, end)
    this.#at = end
    return JSON.parse(text)
  }

  #wordEnd(): number {
    let end = this.#at
    while (end < this.#text.length && !',]}'.includes(this.#text[end] as string)) end += 1
    return end
  }
}
