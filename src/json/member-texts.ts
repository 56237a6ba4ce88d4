// Splits stored JSON text into the texts of its members or elements, so that values can be copied exactly. Stored text
// is valid and has no white space outside strings.

/** The members of an object: name to value text. */
export function memberTexts(object: string): Map<string, string> {
  const members = new Map<string, string>()
  for (let at = 1; at < object.length - 1; ) {
    const nameEnd = stringEnd(object, at)
    const valueEnd = endOf(object, nameEnd + 1)
    members.set(unescaped(object.slice(at, nameEnd)), object.slice(nameEnd + 1, valueEnd))
    at = valueEnd + 1
  }
  return members
}

/** The value of a quoted string. Most strings have no escapes. */
export function unescaped(string: string): string {
  return string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1)
}

/** The elements of an array, as texts. */
export function elementTexts(array: string): string[] {
  const elements: string[] = []
  for (let at = 1; at < array.length - 1; ) {
    const end = endOf(array, at)
    elements.push(array.slice(at, end))
    at = end + 1
  }
  return elements
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The end of the value that begins at `at`. */
function endOf(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (first === QUOTE) return stringEnd(text, at)
  if (first === OPEN_OBJECT || first === OPEN_LIST) return containerEnd(text, at)
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === COMMA || unit === CLOSE_OBJECT || unit === CLOSE_LIST) break
  }
  return at
}

function containerEnd(text: string, at: number): number {
  for (let depth = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = stringEnd(text, at) - 1
    else if (unit === OPEN_OBJECT || unit === OPEN_LIST) depth += 1
    else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  throw new Error('Stored JSON ends inside a value')
}

/** The end of the string that begins at `at`. */
export function stringEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return quote + 1
  }
  throw new Error('Stored JSON ends inside a string')
}
