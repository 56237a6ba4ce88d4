// A JSON value that is parsed lazily. Its original text is preserved, so that values can be copied exactly.
import { forEachMember, splitElements, unescapeString } from './member-texts.ts'
import { isDigit } from './plain-bytes.ts'
import type { ScanLimits, Scanned } from './scan.ts'

const [OPEN_OBJECT, OPEN_ARRAY, QUOTE, MINUS] = [0x7b, 0x5b, 0x22, 0x2d]

/** The depth of values that were not scanned. It is above all limits. */
const UNKNOWN_DEPTH = 2 ** 30

export class Json {
  /** Valid, without whitespace outside strings. */
  readonly text: string
  /** At least the nesting of the value. Unknown unless a scan would accept the text, and no name in it has escapes. */
  readonly #depth: number
  /** The number of members or elements in the largest of the containers that were assembled. */
  readonly #width: number
  #string: string | undefined
  #memberTexts: ReadonlyMap<string, string> | undefined
  #members: ReadonlyMap<string, Json> | undefined
  #elements: readonly Json[] | undefined
  /** What an object with fixed members was assembled from. */
  #fields: Record<string, Json | undefined> | undefined

  constructor(text: string, depth = depthOf(text, UNKNOWN_DEPTH), width = 0) {
    this.text = text
    this.#depth = depth
    this.#width = width
  }

  /** Creates JSON from a JavaScript value. */
  static of(value: unknown): Json {
    const json = new Json(JSON.stringify(value))
    if (typeof value === 'string') json.#string = value
    return json
  }

  /** Creates JSON from a scanned text. Only such values, and what is assembled from them, need no second scan. */
  static scanned({ text, members, depth, hasEscapedNames }: Scanned): Json {
    const json = new Json(text, hasEscapedNames ? depthOf(text, UNKNOWN_DEPTH) : depth)
    json.#memberTexts = members
    return json
  }

  /** Creates an object from members. Undefined members are omitted. */
  static object(members: Iterable<readonly [string, Json | undefined]>): Json {
    const assembled = new Map<string, Json>()
    let [text, depth, width, count] = ['', 0, 0, 0]
    for (const [name, value] of members) {
      if (!value) continue
      const quotedName = JSON.stringify(name)
      text += `${count === 0 ? '' : ','}${quotedName}:${value.text}`
      depth = Math.max(depth, quotedName.length > name.length + 2 ? UNKNOWN_DEPTH : value.#depth)
      width = Math.max(width, value.#width)
      count += 1
      assembled.set(name, value)
    }
    if (assembled.size < count) depth = UNKNOWN_DEPTH
    const json = new Json(`{${text}}`, depth + 1, Math.max(width, count))
    json.#members = assembled
    return json
  }

  /** Creates an object from members whose names are identifiers. Faster than `object`. */
  static fields(fields: Record<string, Json | undefined>): Json {
    let [text, depth, width, count] = ['', 0, 0, 0]
    for (const name in fields) {
      const value = fields[name]
      if (!value) continue
      text += count === 0 ? `"${name}":${value.text}` : `,"${name}":${value.text}`
      depth = Math.max(depth, value.#depth)
      width = Math.max(width, value.#width)
      count += 1
    }
    const json = new Json(`{${text}}`, depth + 1, Math.max(width, count))
    json.#fields = fields
    return json
  }

  /** A copy with other strings. `replace` returns the JSON text of a string for one that matches. */
  withStrings(pattern: RegExp, replace: (text: string, group: string) => string): Json {
    return new Json(this.text.replace(pattern, replace), this.#depth, this.#width)
  }

  static array(elements: Iterable<Json>): Json {
    const items = Array.from(elements)
    let [text, depth, width] = ['', 0, items.length]
    for (const element of items) {
      text += text === '' ? element.text : `,${element.text}`
      depth = Math.max(depth, element.#depth)
      width = Math.max(width, element.#width)
    }
    const json = new Json(`[${text}]`, depth + 1, width)
    json.#elements = items
    return json
  }

  /** Whether a scan with these limits is known to accept the text as it is. */
  isWithin({ depth, members, elements = members }: ScanLimits): boolean {
    return this.#depth <= depth && this.#width <= Math.min(members, elements)
  }

  /** The JavaScript value. It must be within limits, because JSON.parse can misread names with escapes: see parse.ts. */
  get value(): unknown {
    if (this.#elements) return this.#elements.map(({ value }) => value)
    if (!this.#fields) return this.string ?? JSON.parse(this.text)
    const object: Record<string, unknown> = {}
    for (const name in this.#fields) {
      const field = this.#fields[name]
      if (field) object[name] = field.value
    }
    return object
  }

  get isObject(): boolean {
    return this.text.charCodeAt(0) === OPEN_OBJECT
  }

  get isArray(): boolean {
    return this.text.charCodeAt(0) === OPEN_ARRAY
  }

  get isNull(): boolean {
    return this.text === 'null'
  }

  get isString(): boolean {
    return this.text.charCodeAt(0) === QUOTE
  }

  /** Undefined if the value has another type. The same applies to number and boolean. */
  get string(): string | undefined {
    if (this.#string === undefined && this.isString) this.#string = unescapeString(this.text)
    return this.#string
  }

  get number(): number | undefined {
    const first = this.text.charCodeAt(0)
    return first === MINUS || isDigit(first) ? Number(this.text) : undefined
  }

  get boolean(): boolean | undefined {
    return this.text === 'true' ? true : this.text === 'false' ? false : undefined
  }

  /** The members in order. Empty if the value is not an object. */
  get members(): ReadonlyMap<string, Json> {
    if (!this.#members) {
      const members = new Map<string, Json>()
      const add = (name: string, text: string) => members.set(name, this.#inside(text))
      if (this.#memberTexts) for (const [name, text] of this.#memberTexts) add(name, text)
      else if (this.isObject) forEachMember(this.text, add)
      this.#members = members
    }
    return this.#members
  }

  /** Empty if the value is not an array. */
  get elements(): readonly Json[] {
    this.#elements ??= this.isArray ? splitElements(this.text).map((text) => this.#inside(text)) : []
    return this.#elements
  }

  #inside(text: string): Json {
    return new Json(text, depthOf(text, this.#depth - 1))
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

function depthOf(text: string, depthOfContainer: number): number {
  const first = text.charCodeAt(0)
  return first === OPEN_OBJECT || first === OPEN_ARRAY ? depthOfContainer : 0
}
