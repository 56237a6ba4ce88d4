// The layout of tar archives: blocks of 512 bytes, a header block before the content of each file.

export const BLOCK_BYTES = 512

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
