// Recognizes what a value is by its shape: a conversation, a table, an image, code, JSON or text. In the first script of a
// page, so it only looks at the first levels of a value. conversation/read.ts reads the messages.
import { digitsOf, parseExactly } from '../format/exact-json.ts'
import { formatBytes, pluralize } from '../format/numbers.ts'

export type JsonObject = Record<string, unknown>

export type Shape =
  | { kind: 'text' | 'code' }
  | { kind: 'image'; mediaType: string; size: number }
  /** `messages` are those of the value, in its own format. `value` is parsed if it was a JSON text. */
  | { kind: 'conversation'; value: unknown; messages: unknown[] }
  | { kind: 'table'; value: unknown; rows: JsonObject[] }
  | { kind: 'json'; value: unknown }

/** Longer texts are not parsed: the page would not respond meanwhile. */
const MAX_JSON_LENGTH = 2_000_000
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

/** The object or array that a text contains as JSON. */
export function parseJsonText(text: string): unknown {
  if (text.length > MAX_JSON_LENGTH || !/^\s*[[{]/.test(text)) return undefined
  try {
    return parseExactly(text)
  } catch {
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

export function isObject(value: unknown): value is JsonObject {
  return !isScalar(value) && !Array.isArray(value)
}

/** Numbers with exact digits are objects (see exact-json.ts). */
export function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null || digitsOf(value) !== undefined
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

/** The messages of a list, a request, a response, or a single message. A system prompt next to them becomes the first one. */
function messagesOf(value: unknown): unknown[] | undefined {
  if (!isObject(value)) return isConversation(value) ? value : callsOf(value)
  const { contents, input, output, choices, candidates, generations } = value
  // LangChain has a list per prompt.
  const messages = [value.messages].flat(2)
  const system = [value.system, value.systemInstruction, value.system_instruction, value.instructions]
  const list = [
    isConversation(messages) && messages,
    isConversation(contents) && contents,
    isConversation(input) && input,
    isConversation(output) && output,
    membersOf(choices, 'message'),
    membersOf(candidates, 'content'),
    membersOf([generations].flat(2), 'message'),
  ].flatMap((found) => found || [])
  if (list.length > 0)
    return [...system.filter(Boolean).map((content) => ({ role: 'system', content })), ...list]
  return isConversation([value]) ? [value] : undefined
}

/** Some tools store only the content of the message, if it has tool calls. */
function callsOf(value: unknown): unknown[] | undefined {
  const isCall = (part: unknown) =>
    isObject(part) && (part.type === 'tool_use' || (isObject(part.function) && 'arguments' in part.function))
  const isPart = (part: unknown) =>
    isCall(part) || (isObject(part) && isMatch(/^(?:text|thinking)$/, part.type))
  if (!Array.isArray(value) || !value.some(isCall) || !value.every(isPart)) return undefined
  return [{ role: 'assistant', content: value }]
}

function membersOf(list: unknown, name: string): unknown[] | undefined {
  const members = Array.isArray(list) && list.map((entry) => isObject(entry) && entry[name])
  return isConversation(members) ? members : undefined
}

const ROLES = /^(?:system|developer|user|human|assistant|ai|model|tool|function)$/
/** Items of the Responses API that are not messages. */
const ITEM_TYPES =
  /^(?:reasoning|compaction|item_reference|mcp_(?:list_tools|approval_re\w+)|(?:function|custom_tool|web_search|file_search|computer|code_interpreter|image_generation|local_shell|shell|apply_patch|mcp)_call(?:_output)?)$/
const LANGCHAIN_TYPES = /^(?:human|ai|system|tool|function|chat|\w+MessageChunk)$/
/** What other data does not have: a role or a type that only messages use. */
const isTypical = ({ role, type, kwargs, parts }: JsonObject) =>
  isMatch(ROLES, role) || isMatch(/^(?:human|ai)$|_call$/, type) || isObject(kwargs) || Array.isArray(parts)

function isConversation(list: unknown): list is JsonObject[] {
  return Array.isArray(list) && list.every(isMessage) && list.some(isTypical)
}

function isMessage(value: unknown): value is JsonObject {
  if (!isObject(value)) return false
  const { role, type, content, parts, data, kwargs, id } = value
  if (isMatch(ROLES, role))
    return 'content' in value || 'parts' in value || 'tool_calls' in value || 'function_call' in value
  if (isMatch(/^.{1,80}$/, role)) return isContent(content)
  if (isMatch(ITEM_TYPES, type)) return isMatch(/./, id) || isMatch(/./, value.call_id)
  if (isMatch(LANGCHAIN_TYPES, type)) return isContent(isObject(data) ? data.content : content)
  // A class of LangChain, such as ["langchain", "schema", "messages", "HumanMessage"].
  if (isObject(kwargs)) return Array.isArray(id) && isMatch(/Message(?:Chunk)?$/, id.at(-1))
  // Gemini does not require a role.
  return Array.isArray(parts) && parts.some((part) => isObject(part) && typeof part.text === 'string')
}

function isContent(content: unknown): boolean {
  return typeof content === 'string' || content === null || Array.isArray(content)
}

function isMatch(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value)
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
