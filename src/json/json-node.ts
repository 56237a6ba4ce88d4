// Traverses stored JSON text without parsing it. One pass finds where every container ends, so that nested values are
// not scanned repeatedly. Like member-texts.ts, it requires valid text.
import { stringEnd, unescaped } from './member-texts.ts'

const [QUOTE, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d]
const [COMMA, BACKSLASH] = [0x2c, 0x5c]

/** A value inside a JSON text. */
export class JsonNode {
  readonly #whole: string
  /** The end of the container that begins at an index. */
  readonly #ends: Int32Array
  readonly #start: number
  readonly #end: number

  private constructor(whole: string, ends: Int32Array, start: number, end: number) {
    this.#whole = whole
    this.#ends = ends
    this.#start = start
    this.#end = end
  }

  static of(text: string): JsonNode {
    return new JsonNode(text, containerEnds(text), 0, text.length)
  }

  /** The exact original text. */
  get text(): string {
    return this.#whole.slice(this.#start, this.#end)
  }

  get isObject(): boolean {
    return this.#first === OPEN_OBJECT
  }

  get isArray(): boolean {
    return this.#first === OPEN_ARRAY
  }

  get isString(): boolean {
    return this.#first === QUOTE
  }

  get isNumber(): boolean {
    return /^[-\d]/.test(this.#whole[this.#start] as string)
  }

  /** Whether it is a scalar or an empty container. */
  get isLeaf(): boolean {
    return !(this.isObject || this.isArray) || this.#end === this.#start + 2
  }

  /** The members of an object, in order. */
  *members(): Generator<[name: string, value: JsonNode]> {
    for (let at = this.#start + 1; at < this.#end - 1; ) {
      const nameEnd = stringEnd(this.#whole, at)
      const value = this.#valueAt(nameEnd + 1)
      yield [unescaped(this.#whole.slice(at, nameEnd)), value]
      at = value.#end + 1
    }
  }

  /** The elements of an array, in order. */
  *elements(): Generator<JsonNode> {
    for (let at = this.#start + 1; at < this.#end - 1; ) {
      const value = this.#valueAt(at)
      yield value
      at = value.#end + 1
    }
  }

  get #first(): number {
    return this.#whole.charCodeAt(this.#start)
  }

  #valueAt(at: number): JsonNode {
    const first = this.#whole.charCodeAt(at)
    if (first === QUOTE) return new JsonNode(this.#whole, this.#ends, at, stringEnd(this.#whole, at))
    const end = this.#ends[at] as number
    return new JsonNode(this.#whole, this.#ends, at, end > 0 ? end : literalEnd(this.#whole, at))
  }
}

function containerEnds(text: string): Int32Array {
  const ends = new Int32Array(text.length)
  const open: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = closingQuote(text, at)
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) open.push(at)
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) ends[open.pop() as number] = at + 1
  }
  return ends
}

/** Character by character: faster than indexOf, because most strings are short. */
function closingQuote(text: string, at: number): number {
  for (at += 1; ; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at += 1
  }
}

/** The end of a number, true, false or null. */
function literalEnd(text: string, at: number): number {
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === CLOSE_ARRAY || code === CLOSE_OBJECT) break
  }
  return at
}
