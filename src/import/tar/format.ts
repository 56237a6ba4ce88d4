// The layout of tar archives: blocks of 512 bytes, a header block before the content of each file. The page uses it too.

export const BLOCK_BYTES = 512
/** An archive ends with two empty blocks. */
export const END_BYTES = 2 * BLOCK_BYTES

/** The position and length of each used field of a header block. */
export const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 6],
  version: [263, 2],
  prefix: [345, 155],
} as const

/** The content of a file with this size, filled up to whole blocks. */
export function paddedSize(size: number): number {
  return Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
}

/** The sum of all bytes, with spaces as the checksum itself. */
export function checksumOf(header: Uint8Array): number {
  const [start, length] = FIELDS.checksum
  const isChecksum = (index: number) => index >= start && index < start + length
  return header.reduce((sum, byte, index) => sum + (isChecksum(index) ? 0x20 : byte), 0)
}

/** The blocks before the content of a file. A long name has an entry of its own (GNU). */
export function tarHeaders(name: string, size: number): Uint8Array<ArrayBuffer> {
  const encodedName = new TextEncoder().encode(name)
  if (encodedName.length <= FIELDS.name[1]) return headerBlock(encodedName, size, '0')
  const nameBytes = paddedSize(encodedName.length)
  const headers = new Uint8Array(BLOCK_BYTES + nameBytes + BLOCK_BYTES)
  const linkName = new TextEncoder().encode('././@LongLink')
  headers.set(headerBlock(linkName, encodedName.length, 'L'))
  headers.set(encodedName, BLOCK_BYTES)
  headers.set(headerBlock(encodedName, size, '0'), BLOCK_BYTES + nameBytes)
  return headers
}

function headerBlock(name: Uint8Array, size: number, type: string): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(BLOCK_BYTES)
  const write = (field: keyof typeof FIELDS, text: string) =>
    header.set(new TextEncoder().encode(text), FIELDS[field][0])
  header.set(name.subarray(0, FIELDS.name[1]))
  write('mode', '0000644')
  write('size', size.toString(8).padStart(11, '0'))
  write('type', type)
  write('magic', 'ustar')
  write('version', '00')
  write('checksum', `${checksumOf(header).toString(8).padStart(6, '0')}\0 `)
  return header
}
