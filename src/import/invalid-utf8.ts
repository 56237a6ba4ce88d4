// Finds the first byte of a file that is not valid UTF-8, and explains what to do.
import { isUtf8 } from 'node:buffer'
import type { ImportNote } from '../schema/import-events.ts'
import type { Source } from './source.ts'

const [LF, CR] = [0x0a, 0x0d]

/** The end of the last complete UTF-8 character. */
export function findCompleteEnd(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) break
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0
    if (length > 0) return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** For a file that is known to be invalid. It is read again, so that valid files are read without counting lines. */
export async function rejectInvalidUtf8(source: Source): Promise<{ kind: 'rejection' } & ImportNote> {
  let line = 1
  let rest: Buffer = Buffer.alloc(0)
  let previousByte = 0
  for await (const chunk of source.chunks()) {
    const bytes = Buffer.concat([rest, chunk])
    const end = findCompleteEnd(bytes)
    const complete = bytes.subarray(0, end)
    const validEnd = isUtf8(complete) ? end : findInvalidByte(complete)
    for (const byte of complete.subarray(0, validEnd)) {
      if (byte === CR || (byte === LF && previousByte !== CR)) line += 1
      previousByte = byte
    }
    rest = bytes.subarray(validEnd)
    if (validEnd < end) break
  }
  const byte = `0x${rest.toString('hex', 0, 1).toUpperCase()}`
  const detail = `This line is not valid UTF-8 (byte ${byte}). The file may be in Windows-1252 or Latin-1. Save it as UTF-8: in Excel choose CSV UTF-8, in an editor save with the encoding UTF-8, or run iconv -f WINDOWS-1252 -t UTF-8.`
  return { kind: 'rejection', record: null, line, pointer: '', detail }
}

function findInvalidByte(bytes: Buffer): number {
  const decoded = Buffer.from(bytes.toString())
  return bytes.findIndex((byte, index) => byte !== decoded[index])
}
