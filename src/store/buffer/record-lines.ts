// A validated record as a line of a buffer: its place in the upload, and its JSON text.
import { parseScanned } from '../../json/parse.ts'
import { NO_LIMITS, scan } from '../../json/scan.ts'
import type { RecordLocation } from '../../schema/import-events.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'

export interface BufferedRecord<Value> {
  place: RecordLocation
  content: ParsedValue<Value>
  /** Whether the importer made up the id because the file has none. */
  hasGeneratedId?: boolean | undefined
}

const OPEN_BRACE = 0x7b

export function recordLine({ place, content, hasGeneratedId }: BufferedRecord<unknown>): string {
  const members: string[] = []
  for (const [name, text] of content.memberTexts) members.push(`${JSON.stringify(name)}:${text}`)
  return `${place.index} ${place.line} ${hasGeneratedId ? 1 : 0} {${members.join(',')}}`
}

/** Overwrites the bytes of the line. */
export function readRecordLine<Value>(line: Buffer): BufferedRecord<Value> {
  const start = line.indexOf(OPEN_BRACE)
  const [index, lineNumber, hasGeneratedId] = line.toString('latin1', 0, start).split(' ').map(Number)
  const scanned = scan(line.subarray(start), NO_LIMITS)
  return {
    place: { index: index ?? 0, line: lineNumber ?? 1 },
    content: { value: parseScanned(scanned) as Value, memberTexts: scanned.members ?? new Map() },
    hasGeneratedId: hasGeneratedId === 1,
  }
}
