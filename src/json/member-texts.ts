// Splits stored JSON text into the texts of its members or elements, so that values can be copied exactly. Stored text
// is valid and has no whitespace outside strings.

/** The members of an object, as a map from name to value text. */
export function splitMembers(object: string): Map<string, string> {
  const members = new Map<string, string>()
  forEachMember(object, (name, text) => members.set(name, text))
  return members
}

/** Passes the members of an object, in order. */
export function forEachMember(object: string, onMember: (name: string, text: string) => void): void {
  for (let index = 1; index < object.length - 1; ) {
    const nameEnd = stringEnd(object, index)
    const valueEnd = findValueEnd(object, nameEnd + 1)
    onMember(unescapeString(object.slice(index, nameEnd)), object.slice(nameEnd + 1, valueEnd))
    index = valueEnd + 1
  }
}

/** Replaces or adds the value text of one member, or removes the member. The text of the others does not change. */
export function withMember(object: string, name: string, text: string | undefined): string {
  const members: string[] = []
  let hasMember = false
  for (let index = 1; index < object.length - 1; ) {
    const nameEnd = stringEnd(object, index)
    const valueEnd = findValueEnd(object, nameEnd + 1)
    if (unescapeString(object.slice(index, nameEnd)) !== name) members.push(object.slice(index, valueEnd))
    else {
      hasMember = true
      if (text !== undefined) members.push(`${object.slice(index, nameEnd)}:${text}`)
    }
    index = valueEnd + 1
  }
  if (!hasMember && text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  return `{${members.join(',')}}`
}

/** The value of a quoted string. Most strings have no escapes. */
export function unescapeString(string: string): string {
  return string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1)
}

/** The elements of an array, as texts. */
export function splitElements(array: string): string[] {
  const elements: string[] = []
  for (let index = 1; index < array.length - 1; ) {
    const end = findValueEnd(array, index)
    elements.push(array.slice(index, end))
    index = end + 1
  }
  return elements
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The end of the value that begins at `index`. */
function findValueEnd(text: string, index: number): number {
  const first = text.charCodeAt(index)
  if (first === QUOTE) return stringEnd(text, index)
  if (first === OPEN_OBJECT || first === OPEN_LIST) return findContainerEnd(text, index)
  return literalEnd(text, index)
}

/** The end of a number, true, false or null. */
export function literalEnd(text: string, index: number): number {
  for (; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit === COMMA || unit === CLOSE_OBJECT || unit === CLOSE_LIST) break
  }
  return index
}

function findContainerEnd(text: string, index: number): number {
  for (let depth = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit === QUOTE) index = stringEnd(text, index) - 1
    else if (unit === OPEN_OBJECT || unit === OPEN_LIST) depth += 1
    else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) {
      depth -= 1
      if (depth === 0) return index + 1
    }
  }
  throw new Error('Stored JSON ends inside a value')
}

/** The end of the string that begins at `index`. */
export function stringEnd(text: string, index: number): number {
  for (let quote = text.indexOf('"', index + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return quote + 1
  }
  throw new Error('Stored JSON ends inside a string')
}
