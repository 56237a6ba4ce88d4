// Parses JSON text that has been scanned.

import { stringEnd } from './member-texts.ts'
import type { Scanned } from './scan.ts'

/**
 * Works around a bug in JSON.parse of Node 26 (V8 14.6): it can confuse an escaped name with an earlier name that
 * contains a backslash. After {"\\":1} it reads {"\u0000":2} as {"\\":2}. Texts with escaped names are parsed name by name.
 */
export function parseScanned({ text, hasEscapedNames }: Pick<Scanned, 'text' | 'hasEscapedNames'>): unknown {
  return hasEscapedNames ? new Parser(text).parseValue() : JSON.parse(text)
}

class Parser {
  readonly #text: string
  #index = 0

  constructor(text: string) {
    this.#text = text
  }

  parseValue(): unknown {
    const first = this.#text[this.#index]
    if (first === '{') return this.#parseObject()
    if (first === '[') return this.#parseArray()
    return this.#parseScalar(first === '"' ? stringEnd(this.#text, this.#index) : this.#findLiteralEnd())
  }

  #parseArray(): unknown[] {
    const elements: unknown[] = []
    while (this.#hasNext(']')) elements.push(this.parseValue())
    return elements
  }

  #parseObject(): object {
    const members: [string, unknown][] = []
    while (this.#hasNext('}')) {
      const name = this.#parseScalar(stringEnd(this.#text, this.#index)) as string
      this.#index += 1
      members.push([name, this.parseValue()])
    }
    // Unlike an assignment, this treats `__proto__` as a normal member.
    return Object.fromEntries(members)
  }

  /** Skips an opening bracket, a comma or the closing bracket. Returns whether another element follows. */
  #hasNext(closing: string): boolean {
    if (this.#text[this.#index] !== closing) this.#index += 1
    if (this.#text[this.#index] !== closing) return true
    this.#index += 1
    return false
  }

  #parseScalar(end: number): unknown {
    const text = this.#text.slice(this.#index, end)
    this.#index = end
    return JSON.parse(text)
  }

  #findLiteralEnd(): number {
    let end = this.#index
    while (end < this.#text.length && !',]}'.includes(this.#text[end] as string)) end += 1
    return end
  }
}
