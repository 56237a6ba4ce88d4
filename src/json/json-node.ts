// Traverses stored JSON text without parsing it. One pass finds where every container ends, so that nested values are
// not scanned repeatedly. Like member-texts.ts, it requires valid text.
import { literalEnd, stringEnd, unescapeString } from './member-texts.ts'

const [QUOTE, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d]
const BACKSLASH = 0x5c

/** A value inside a JSON text. */
export class JsonNode {
  readonly #document: string
  /** The end of the container that begins at an index. */
  readonly #ends: Int32Array
  readonly #start: number
  readonly #end: number

  private constructor(document: string, ends: Int32Array, start: number, end: number) {
    this.#document = document
    this.#ends = ends
    this.#start = start
    this.#end = end
  }

  static of(text: string): JsonNode {
    return new JsonNode(text, findContainerEnds(text), 0, text.length)
  }

  /** The exact original text. */
  get text(): string {
    return this.#document.slice(this.#start, this.#end)
  }

  get isObject(): boolean {
    return this.#firstCharCode === OPEN_OBJECT
  }

  get isArray(): boolean {
    return this.#firstCharCode === OPEN_ARRAY
  }

  get isString(): boolean {
    return this.#firstCharCode === QUOTE
  }

  get isNumber(): boolean {
    return /^[-\d]/.test(this.#document[this.#start] as string)
  }

  /** Whether it is a scalar or an empty container. */
  get isLeaf(): boolean {
    return !(this.isObject || this.isArray) || this.#end === this.#start + 2
  }

  /** The members of an object, in order. */
  *members(): Generator<[name: string, value: JsonNode]> {
    for (let index = this.#start + 1; index < this.#end - 1; ) {
      const nameEnd = stringEnd(this.#document, index)
      const value = this.#valueAt(nameEnd + 1)
      yield [unescapeString(this.#document.slice(index, nameEnd)), value]
      index = value.#end + 1
    }
  }

  /** The elements of an array, in order. */
  *elements(): Generator<JsonNode> {
    for (let index = this.#start + 1; index < this.#end - 1; ) {
      const value = this.#valueAt(index)
      yield value
      index = value.#end + 1
    }
  }

  get #firstCharCode(): number {
    return this.#document.charCodeAt(this.#start)
  }

  #valueAt(index: number): JsonNode {
    const firstCharCode = this.#document.charCodeAt(index)
    if (firstCharCode === QUOTE)
      return new JsonNode(this.#document, this.#ends, index, stringEnd(this.#document, index))
    const end = this.#ends[index] as number
    return new JsonNode(this.#document, this.#ends, index, end > 0 ? end : literalEnd(this.#document, index))
  }
}

function findContainerEnds(text: string): Int32Array {
  const ends = new Int32Array(text.length)
  const openIndexes: number[] = []
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) index = findClosingQuote(text, index)
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) openIndexes.push(index)
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) ends[openIndexes.pop() as number] = index + 1
  }
  return ends
}

/** Reads character by character, which is faster than indexOf because most strings are short. */
function findClosingQuote(text: string, index: number): number {
  for (index += 1; ; index += 1) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) return index
    if (code === BACKSLASH) index += 1
  }
}
