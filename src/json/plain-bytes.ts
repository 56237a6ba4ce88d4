// Classifies the bytes of JSON text, and skips the plain bytes of a string quickly: most bytes of a typical text are plain.

const [QUOTE, BACKSLASH] = [0x22, 0x5c]

/** 1 for bytes that need no escape inside a string. */
export const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === BACKSLASH ? 0 : 1,
)

/** The last buffer as 32-bit words, cached because the records of a chunk share one buffer. */
let words: Int32Array = new Int32Array(0)

/** The end of the run of plain bytes at `index`. Checks four bytes at a time. */
export function plainEnd(bytes: Uint8Array, index: number): number {
  if (words.buffer !== bytes.buffer) words = new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >>> 2)
  const { byteOffset: base, length: end } = bytes
  while (((index + base) & 3) !== 0 && index < end && IS_PLAIN[bytes[index] as number] === 1) index += 1
  if (((index + base) & 3) === 0) {
    const last = (end + base) >>> 2
    let word = (index + base) >>> 2
    while (word < last && arePlain(words[word] as number)) word += 1
    index = word * 4 - base
  }
  while (index < end && IS_PLAIN[bytes[index] as number] === 1) index += 1
  return index
}

/** Whether none of the four bytes is below 0x20, a quote or a backslash. Uses the bit trick that detects a zero byte. */
function arePlain(four: number): boolean {
  const quote = four ^ 0x22222222
  const backslash = four ^ 0x5c5c5c5c
  const below = (four - 0x20202020) & ~four
  const hits = below | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash)
  return (hits & 0x80808080) === 0
}

export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

export function isHexDigit(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
}
