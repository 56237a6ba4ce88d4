// Decompresses LZ4 blocks without a frame, the Parquet codec LZ4_RAW. Node has no LZ4.

const MIN_MATCH = 4
/** A length of this value continues in the next bytes. */
const LONG_LENGTH = 15

/** Throws RangeError if the block is damaged. `length` is the size of the decompressed block. */
export function decompressLz4(input: Uint8Array, length: number): Uint8Array {
  const output = new Uint8Array(length)
  let [from, to] = [0, 0]

  function readLength(start: number): number {
    let total = start
    if (start < LONG_LENGTH) return total
    for (let byte = 255; byte === 255; total += byte) {
      byte = readByte()
    }
    return total
  }

  function readByte(): number {
    const byte = input[from]
    if (byte === undefined) throw new RangeError('an LZ4 block ends early')
    from += 1
    return byte
  }

  while (from < input.length) {
    const token = readByte()
    const literals = readLength(token >> 4)
    if (from + literals > input.length || to + literals > length)
      throw new RangeError('an LZ4 block is damaged')
    output.set(input.subarray(from, from + literals), to)
    from += literals
    to += literals
    // The last sequence has only literals.
    if (from === input.length) break
    const distance = readByte() + 256 * readByte()
    const count = readLength(token & 15) + MIN_MATCH
    if (distance === 0 || distance > to || to + count > length)
      throw new RangeError('an LZ4 block is damaged')
    // A match can overlap its own output, so it is copied in parts of at most its distance.
    for (const end = to + count; to < end; ) {
      const start = to - distance
      const part = Math.min(distance, end - to)
      output.copyWithin(to, start, start + part)
      to += part
    }
  }
  if (to !== length) throw new RangeError('an LZ4 block ends early')
  return output
}
