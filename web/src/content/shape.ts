// Recognizes what a value is by its shape: a conversation, a table, an image, code, JSON or text. In the first script of a
// page, so it only looks at the first levels of a value. conversation/read.ts reads the messages.
import { messagesOf } from '../../../src/conversation/messages.ts'
import { isObject, isScalar, type JsonObject, parseJsonText } from '../../../src/conversation/values.ts'
import { formatBytes, pluralize } from '../format/numbers.ts'

export type Shape =
  | { kind: 'text' | 'code' }
  | { kind: 'image'; mediaType: string; size: number }
  /** `messages` are those of the value, in its own format. `value` is parsed if it was a JSON text. */
  | { kind: 'conversation'; value: unknown; messages: unknown[] }
  | { kind: 'table'; value: unknown; rows: JsonObject[] }
  | { kind: 'json'; value: unknown }

/** Code is recognized by its first lines. */
const CODE_LENGTH = 5000

export function shapeOf(value: unknown): Shape {
  if (typeof value === 'string') {
    const image = readDataImage(value)
    if (image) return { kind: 'image', ...image }
    const parsed = parseJsonText(value)
    if (parsed === undefined) return { kind: isCode(value) ? 'code' : 'text' }
    return shapeOf(parsed)
  }
  if (isScalar(value)) return { kind: 'text' }
  const messages = messagesOf(value)
  if (messages) return { kind: 'conversation', value, messages }
  if (isTable(value)) return { kind: 'table', value, rows: value }
  return { kind: 'json', value }
}

/** "conversation, 4 messages"; undefined for text. */
export function describeShape(shape: Shape): string | undefined {
  switch (shape.kind) {
    case 'conversation':
      return `conversation, ${pluralize(shape.messages.length, 'message')}`
    case 'table':
      return `table, ${pluralize(shape.rows.length, 'row')}`
    case 'image':
      return `image, ${formatBytes(shape.size)}`
    case 'json':
      return 'JSON'
    case 'code':
      return 'code'
    default:
      return undefined
  }
}

/** Media type and size in bytes of an image in a `data:` URI. */
export function readDataImage(text: string): { mediaType: string; size: number } | undefined {
  const [prefix, mediaType] = /^data:(image\/[\w.+-]{1,40});base64,/i.exec(text) ?? []
  if (prefix === undefined || mediaType === undefined) return undefined
  const data = text.slice(prefix.length)
  if (/[^\w+/=\r\n-]/.test(data)) return undefined
  const length = data.indexOf('=') < 0 ? data.length : data.indexOf('=')
  return { mediaType: mediaType.toLowerCase(), size: Math.floor((length * 3) / 4) }
}

function isTable(value: unknown): value is JsonObject[] {
  return (
    Array.isArray(value) &&
    value.length > 1 &&
    value.every((row) => {
      if (!isObject(row)) return false
      const cells = Object.values(row)
      return cells.length > 0 && cells.every(isScalar)
    })
  )
}

const STACK_TRACE = /^Traceback \(most recent call last\):|^goroutine \d+ \[|^[ \t]+at \S.*(?:\)|:\d+)$/m
const CODE_LINE =
  /[;{}]\s*$|^\s*(?:def|class) \w+.*:\s*$|^(?:import|from) [\w.]+(?: import .*)?$|^(?:\t| {2,})\S.*[=([\])]|^\s*(?:#include|@\w+$|\/\/)/

/** Conservative: prose in a monospaced font is worse than code in a proportional one. */
export function isCode(fullText: string): boolean {
  const text = fullText.slice(0, CODE_LENGTH)
  if (STACK_TRACE.test(text)) return true
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const count = lines.filter((line) => CODE_LINE.test(line)).length
  return count > 2 && count > lines.length * 0.6 && !text.includes('```')
}
