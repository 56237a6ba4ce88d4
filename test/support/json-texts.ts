// Generates random JSON texts from a seed, including everything that RFC 8259 allows but that JSON.parse and
// JSON.stringify would change. Each text is generated with and without whitespace.

/** mulberry32: a small and fast deterministic random number generator. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export interface JsonText {
  loose: string
  compact: string
}

const NUMBERS = [
  '1e400',
  '-1e400',
  '-0',
  '0',
  '1.0',
  '1E2',
  '1e+2',
  '9007199254740993',
  '1e-400',
  '0.1',
  '-0.0e-0',
]
const NAMES = [
  '__proto__',
  'constructor',
  '10',
  '9',
  '01',
  '-1',
  '',
  'a',
  'A',
  'é',
  'e\u0301',
  '𝄞',
  'toString',
  '~/',
]
const ESCAPES = [
  '\\u0000',
  '\\ud800',
  '\\udfff',
  '\\ud834\\udd1e',
  '\\n',
  '\\/',
  '\\u0041',
  '\\"',
  '\\\\',
  '\\u2028',
  '\\b',
  '\\f',
  '\\r',
  '\\t',
]
const RAW = [
  'x',
  ' ',
  '  ',
  'ä',
  '漢',
  '💡',
  '\u007f',
  '\u2028',
  '<script>',
  ',',
  ']',
  '}',
  ':',
  '{a:1}',
  '\ufeff',
]

export class JsonTexts {
  readonly #random: () => number
  readonly #white: string[]

  /** `white` contains the whitespace to use between tokens. */
  constructor(seed: number, white = ['', '', '', ' ', '\t', '\r\n', '  ']) {
    this.#random = seeded(seed)
    this.#white = white
  }

  /** Any value, nested at most this deep. One in a hundred is nested exactly this deep. */
  value(depth: number): JsonText {
    return this.#random() < 0.01 ? this.#nested(depth) : this.#value(Math.min(depth, 5))
  }

  object(depth: number): JsonText {
    return this.#object(Math.min(depth, 5))
  }

  string(): string {
    const parts = Array.from({ length: this.#below(6) }, () =>
      this.#pick(this.#random() < 0.5 ? ESCAPES : RAW),
    )
    return `"${parts.join('')}"`
  }

  #value(depth: number): JsonText {
    const kind = this.#below(depth > 0 ? 8 : 5)
    if (kind < 2) return this.#scalar(this.string())
    if (kind === 2) return this.#scalar(this.#pick(NUMBERS))
    if (kind === 3) return this.#scalar(this.#number())
    if (kind === 4) return this.#scalar(this.#pick(['true', 'false', 'null']))
    return kind < 7
      ? this.#object(depth)
      : this.#array(Array.from({ length: this.#below(4) }, () => this.#value(depth - 1)))
  }

  #number(): string {
    const digits = () => String(Math.floor(this.#random() * 10 ** this.#below(16)))
    const fraction = this.#random() < 0.5 ? `.${digits()}${'0'.repeat(this.#below(3))}` : ''
    const exponent =
      this.#random() < 0.3 ? `${this.#pick(['e', 'E', 'e-', 'E+'])}${digits().slice(0, 3)}` : ''
    return `${this.#random() < 0.3 ? '-' : ''}${digits()}${fraction}${exponent}`
  }

  #nested(depth: number): JsonText {
    let text = this.#scalar('1.0')
    for (let level = 0; level < depth; level += 1) {
      text =
        level % 2 === 0
          ? this.#array([text])
          : { loose: `{"a":${text.loose}}`, compact: `{"a":${text.compact}}` }
    }
    return text
  }

  #array(elements: JsonText[]): JsonText {
    const inside =
      elements.length === 0 ? this.#pick(this.#white) : elements.map(({ loose }) => loose).join(',')
    return this.#scalar(`[${elements.map(({ compact }) => compact).join(',')}]`, `[${inside}]`)
  }

  /** Names are unique after unescaping. */
  #object(depth: number): JsonText {
    const members = new Map<string, [string, JsonText]>()
    for (let count = this.#below(5); count > 0; count -= 1) {
      const token = this.#random() < 0.7 ? JSON.stringify(this.#pick(NAMES)) : this.string()
      members.set(JSON.parse(token), [token, this.#value(depth - 1)])
    }
    const texts = [...members.values()]
    const compact = texts.map(([name, { compact }]) => `${name}:${compact}`).join(',')
    const loose = texts.map(([name, { loose }]) => `${this.#around(name)}:${loose}`).join(',')
    return this.#scalar(`{${compact}}`, `{${loose === '' ? this.#pick(this.#white) : loose}}`)
  }

  #scalar(compact: string, loose = compact): JsonText {
    return { compact, loose: this.#around(loose) }
  }

  #around(text: string): string {
    return `${this.#pick(this.#white)}${text}${this.#pick(this.#white)}`
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #pick<Item>(items: Item[]): Item {
    return items[this.#below(items.length)] as Item
  }
}
