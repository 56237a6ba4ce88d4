// A JSON value that is taken apart where it is looked at, and otherwise stays the text that it is: what is
// handed on is handed on exactly as it was written.
import { elementTexts, memberTexts } from './slices.ts'

export class Json {
  /** Valid, without white space outside strings. */
  readonly text: string
  #members: ReadonlyMap<string, Json> | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Of a value that is made here and was never a text. */
  static of(value: unknown): Json {
    return new Json(JSON.stringify(value))
  }

  /** An object of these members; those that are undefined are left out. */
  static object(members: Iterable<readonly [string, Json | undefined]>): Json {
    const parts: string[] = []
    for (const [name, value] of members) if (value) parts.push(`${JSON.stringify(name)}:${value.text}`)
    return new Json(`{${parts.join(',')}}`)
  }

  static array(elements: Iterable<Json>): Json {
    return new Json(`[${Array.from(elements, ({ text }) => text).join(',')}]`)
  }

  get isObject(): boolean {
    return this.text[0] === '{'
  }

  get isArray(): boolean {
    return this.text[0] === '['
  }

  get isNull(): boolean {
    return this.text === 'null'
  }

  /** Undefined where it is something else; so are number and boolean. */
  get string(): string | undefined {
    return this.text[0] === '"' ? (JSON.parse(this.text) as string) : undefined
  }

  get number(): number | undefined {
    return /^[-\d]/.test(this.text) ? Number(this.text) : undefined
  }

  get boolean(): boolean | undefined {
    return this.text === 'true' ? true : this.text === 'false' ? false : undefined
  }

  /** In their order; none where it is no object. */
  get members(): ReadonlyMap<string, Json> {
    if (!this.#members) {
      const texts = this.isObject ? memberTexts(this.text) : []
      this.#members = new Map(Array.from(texts, ([name, text]) => [name, new Json(text)]))
    }
    return this.#members
  }

  /** None where it is no array. */
  get elements(): Json[] {
    return this.isArray ? elementTexts(this.text).map((text) => new Json(text)) : []
  }

  /** What the names lead to, one inside the other; undefined where it is null or not there. */
  get(...names: string[]): Json | undefined {
    let found: Json | undefined = this
    for (const name of names) found = found?.members.get(name)
    return found?.isNull ? undefined : found
  }

  /** As people read it: a string without its quotes, anything else as its text. */
  get plain(): string {
    return this.string ?? this.text
  }
}
