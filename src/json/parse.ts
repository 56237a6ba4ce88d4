// Parses JSON text that has been scanned.

import { stringEnd } from './member-texts.ts'
import type { Scanned } from './scan.ts'

/**
 * Works around a bug in JSON.parse of Node 26 (V8 14.6): it can confuse an escaped name with an earlier name that
 * contains a backslash. After {"\\":1} it reads {"\u0000":2} as {"\\":2}. Texts with escaped names are parsed name by name.
 */
export function parseScanned({ text, hasEscapedNames }: Pick<Scanned, 'text' | 'hasEscapedNames'>): unknown {
  return hasEscapedNames ? new Parser(text).value() : JSON.parse(text)
}

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): unknown {
    const first = this.#text[this.#at]
    if (first === '{') return this.#object()
    if (first === '[') return this.#array()
    return this.#scalar(first === '"' ? stringEnd(this.#text, this.#at) : this.#literalEnd())
  }

  #array(): unknown[] {
    const elements: unknown[] = []
    while (this.#hasNext(']')) elements.push(this.value())
    return elements
  }

  #object(): object {
    const members: [string, unknown][] = []
    while (this.#hasNext('}')) {
      const name = this.#scalar(stringEnd(this.#text, this.#at)) as string
      this.#at += 1
      members.push([name, this.value()])
    }
    // Unlike an assignment, this treats `__proto__` as a normal member.
    return Object.fromEntries(members)
  }

  /** Skips an opening bracket, a comma or the closing bracket. Returns whether another element follows. */
  #hasNext(closing: string): boolean {
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

  #literalEnd(): number {
    let end = this.#at
    while (end < this.#text.length && !',]}'.includes(this.#text[end] as string)) end += 1
    return end
  }
}
