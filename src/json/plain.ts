// Steps over the plain bytes of a string, which most of any text is.

const [QUOTE, BACKSLASH] = [0x22, 0x5c]

/** 1 for the bytes that stand for themselves inside a string. */
export const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === BACKSLASH ? 0 : 1,
)

/** The memory around the bytes seen last, by four bytes: the records of a chunk share theirs. */
let words: Int32Array = new Int32Array(0)

/** Where the run of plain bytes at `at` ends. Prose is most of what comes in, so it goes by four bytes. */
export function plainEnd(bytes: Uint8Array, at: number): number {
  if (words.buffer !== bytes.buffer) words = new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >>> 2)
  const { byteOffset: base, length: end } = bytes
  while (((at + base) & 3) !== 0 && at < end && PLAIN[bytes[at] as number] === 1) at += 1
  if (((at + base) & 3) === 0) {
    const last = (end + base) >>> 2
    let word = (at + base) >>> 2
    while (word < last && arePlain(words[word] as number)) word += 1
    at = word * 4 - base
  }
  while (at < end && PLAIN[bytes[at] as number] === 1) at += 1
  return at
}

/** None of the four is below 0x20, a quote or a backslash: the well-known test for a zero byte, thrice. */
function arePlain(four: number): boolean {
  const quote = four ^ 0x22222222
  const backslash = four ^ 0x5c5c5c5c
  const below = (four - 0x20202020) & ~four
  const hits = below | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash)
  return (hits & 0x80808080) === 0
}
