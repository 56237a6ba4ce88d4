// What a table shows of a conversation: the last message of the user or of the assistant, or the tools that it calls.
import { messagesOf } from './messages.ts'
import type { Part } from './model.ts'
import { readMessage } from './read.ts'
import { MAX_JSON_LENGTH } from './values.ts'

export type Role = 'user' | 'assistant'

export interface ConversationPreview {
  kind: 'message' | 'tool_call'
  /** The text of the message, or the names of the called tools. */
  text: string
}

/** Only an object, a list, or a text with one of them can be a conversation. */
const CONTAINER = /^(?:"(?:\\[nrt]|\s)*)?[[{]/
/** A message has one of these names. Other values are not parsed. Inside a text, quotes are escaped. */
const MESSAGE_NAME = /"(?:role|type|kwargs|parts|function)\\?"/

/** The last message with this role, or else the last one with a text. Undefined if the JSON text is not a conversation. */
export function previewConversation(json: string, role: Role): ConversationPreview | undefined {
  if (json.length > MAX_JSON_LENGTH || !CONTAINER.test(json) || !MESSAGE_NAME.test(json)) return undefined
  const messages = messagesOf(parse(json))?.toReversed() ?? []
  return (
    firstPreview(messages, (messageRole) => messageRole === role) ??
    firstPreview(messages, (messageRole) => messageRole !== 'tool')
  )
}

/** A text can contain the JSON of a conversation. */
function parse(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? JSON.parse(value) : value
  } catch {
    return undefined
  }
}

function firstPreview(
  messages: unknown[],
  isWanted: (role: string) => boolean,
): ConversationPreview | undefined {
  for (const message of messages) {
    const { role, parts } = readMessage(message)
    const preview = isWanted(role) ? previewParts(parts) : undefined
    if (preview) return preview
  }
  return undefined
}

/** What the message ends with: a text, or calls of tools. */
function previewParts(parts: readonly Part[]): ConversationPreview | undefined {
  const lastCall = parts.findLastIndex(({ kind }) => kind === 'call')
  const texts = parts.slice(lastCall + 1).flatMap(textsOf)
  if (texts.length > 0) return { kind: 'message', text: texts.join('\n') }
  const lastText = parts.findLastIndex((part) => textsOf(part).length > 0)
  const names = parts.slice(lastText + 1).flatMap((part) => (part.kind === 'call' ? [part.name] : []))
  return names.length > 0 ? { kind: 'tool_call', text: names.join(', ') } : undefined
}

function textsOf(part: Part): string[] {
  const isText = (part.kind === 'text' || part.kind === 'refusal') && part.text.trim() !== ''
  return isText ? [part.text] : []
}
