// A JSON value that is parsed lazily. Its original text is preserved, so that values can be copied exactly.
import { splitElements, splitMembers } from './member-texts.ts'

export class Json {
  /** Valid, without whitespace outside strings. */
  readonly text: string
  #members: ReadonlyMap<string, Json> | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Creates JSON from a JavaScript value. */
  static of(value: unknown): Json {
    return new Json(JSON.stringify(value))
  }

  /** Creates an object from members. Undefined members are omitted. */
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

  /** Undefined if the value has another type. The same applies to number and boolean. */
  get string(): string | undefined {
    return this.text[0] === '"' ? (JSON.parse(this.text) as string) : undefined
  }

  get number(): number | undefined {
    return /^[-\d]/.test(this.text) ? Number(this.text) : undefined
  }

  get boolean(): boolean | undefined {
    return this.text === 'true' ? true : this.text === 'false' ? false : undefined
  }

  /** The members in order. Empty if the value is not an object. */
  get members(): ReadonlyMap<string, Json> {
    if (!this.#members) {
      const texts = this.isObject ? splitMembers(this.text) : []
      this.#members = new Map(Array.from(texts, ([name, text]) => [name, new Json(text)]))
    }
    return this.#members
  }

  /** Empty if the value is not an array. */
  get elements(): Json[] {
    return this.isArray ? splitElements(this.text).map((text) => new Json(text)) : []
  }

  /** The value at a path of names. Undefined if it is null or missing. */
  get(...names: string[]): Json | undefined {
    let found: Json | undefined = this
    for (const name of names) found = found?.members.get(name)
    return found?.isNull ? undefined : found
  }

  /** A string without quotes, any other value as JSON text. */
  get plain(): string {
    return this.string ?? this.text
  }
}
