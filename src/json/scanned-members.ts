// Decodes a scanned object and its members.

/** The text of an object, and its members: unescaped name to value text. */
export interface DecodedObject {
  text: string
  members: Map<string, string>
}

/**
 * The object ends at `length` and has no whitespace outside strings. `spans` has four positions per member: start and end
 * of its name, without quotes, and of its value.
 */
export function decodeObject(
  bytes: Buffer,
  length: number,
  spans: readonly number[],
  isAscii: boolean,
): DecodedObject {
  return isAscii ? decodeAscii(bytes, length, spans) : decodeUtf8(bytes, spans)
}

/** Byte and character positions are equal, and slicing the text is almost free. */
function decodeAscii(bytes: Buffer, length: number, spans: readonly number[]): DecodedObject {
  const text = bytes.toString('latin1', 0, length)
  const members = new Map<string, string>()
  for (let index = 0; index < spans.length; index += 4) {
    const name = decodeName(bytes, spans[index] as number, spans[index + 1] as number, index >> 2)
    members.set(unescapeName(name), text.slice(spans[index + 2], spans[index + 3]))
  }
  return { text, members }
}

/** Joins the text from the members, so that each byte is decoded once. */
function decodeUtf8(bytes: Buffer, spans: readonly number[]): DecodedObject {
  const members = new Map<string, string>()
  let text = '{'
  for (let index = 0; index < spans.length; index += 4) {
    const name = decodeName(bytes, spans[index] as number, spans[index + 1] as number, index >> 2)
    const value = bytes.toString('utf8', spans[index + 2], spans[index + 3])
    members.set(unescapeName(name), value)
    text += `${index === 0 ? '' : ','}"${name}":${value}`
  }
  return { text: `${text}}`, members }
}

/** The first names of the previous object. Most records of a file have the same names in the same order. */
const LAST_NAMES: string[] = []
const [MAX_LAST_NAMES, MAX_LAST_NAME_LENGTH] = [32, 64]

/** The name at a position in the object, with its escapes. */
function decodeName(bytes: Buffer, start: number, end: number, position: number): string {
  const lastName = LAST_NAMES[position]
  if (lastName !== undefined && isAt(bytes, start, end, lastName)) return lastName
  const name = bytes.toString('utf8', start, end)
  const isAscii = name.length === end - start
  if (isAscii && position < MAX_LAST_NAMES && name.length <= MAX_LAST_NAME_LENGTH) LAST_NAMES[position] = name
  return name
}

/** Whether these bytes are the ASCII text. */
function isAt(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false
  for (let index = 0; index < text.length; index += 1)
    if (text.charCodeAt(index) !== bytes[start + index]) return false
  return true
}

/** `name` has no quotes. */
export function unescapeName(name: string): string {
  return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name
}
