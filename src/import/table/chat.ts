// Reads the messages of conversations with a language model: `role` and `content`, or `from` and `value`.
import { Json } from '../../json/value.ts'

const ASSISTANTS = ['assistant', 'gpt', 'model', 'ai', 'bot', 'chatbot']

export interface MessageText {
  text: Json
  /** What the text was read from. */
  message: Json
  /** Whether the message has more than its text, such as calls of tools. */
  hasMore: boolean
}

/** The last message of an assistant, and the messages before it. Undefined if the last message is of another role. */
export function readConversation(value: Json): (MessageText & { before: Json }) | undefined {
  const messages = value.isArray ? value.elements : []
  const message = messages.at(-1)
  if (!message || messages.length < 2 || !isOfAssistant(message)) return undefined
  const read = readMessageText(message)
  return read && { ...read, before: Json.array(messages.slice(0, -1)) }
}

/** The text of a message, of the last one of a list, or of a chat completion. */
export function readMessageText(value: Json): MessageText | undefined {
  const choice = value.get('choices')?.elements[0]?.get('message')
  if (choice) {
    const read = readMessageText(choice)
    return read && { ...read, message: value, hasMore: true }
  }
  if (value.isArray) {
    const message = value.elements.at(-1)
    const read = message && isOfAssistant(message) ? readMessageText(message) : undefined
    return read && { ...read, message: value, hasMore: read.hasMore || value.elements.length > 1 }
  }
  if (!value.isObject || !isOfAssistant(value)) return undefined
  const text = contentText(value.get('content') ?? value.get('value'))
  if (!text) return undefined
  const others = Array.from(value.members).filter(
    ([name, item]) => !['role', 'from', 'content', 'value'].includes(name) && !item.isNull,
  )
  return { text, message: value, hasMore: others.length > 0 }
}

function isOfAssistant(message: Json): boolean {
  const role = message.get('role')?.string ?? message.get('from')?.string ?? ''
  return ASSISTANTS.includes(role.toLowerCase())
}

/** Content can be a list of parts, of which the texts count. */
function contentText(content: Json | undefined): Json | undefined {
  if (content?.string !== undefined) return content
  const texts = content?.isArray ? content.elements.map((part) => part.get('text')?.string) : []
  return texts.length > 0 && texts.every((text) => text !== undefined) ? Json.of(texts.join('\n')) : undefined
}
