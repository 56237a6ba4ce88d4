// Aligns conversations by turn. A turn starts with a message of the user, so that an additional tool call on one side does not
// move what follows.
import { shapeOf } from '../shape.ts'
import type { Message } from './model.ts'
import { readContent } from './parts.ts'
import { readConversation } from './read.ts'

/** What one conversation has in a turn. */
export interface Cell {
  messages: Message[]
  /** The messages that the first conversation does not have in this turn. Empty for the first one. */
  changed: Set<Message>
}

export interface Turn {
  /** "System", "Start", "Turn 1". */
  label: string
  /** One per conversation. */
  cells: Cell[]
}

export function alignTurns(values: readonly unknown[]): Turn[] {
  const conversations = values.map((value) => splitTurns(readMessages(value)))
  const count = Math.max(...conversations.map(({ length }) => length))
  const turns = Array.from({ length: count }, (_, index) => ({
    label: index === 0 ? 'System' : index === 1 ? 'Start' : `Turn ${index - 1}`,
    cells: markChanges(conversations.map((turns) => turns[index] ?? [])),
  }))
  return turns.filter(({ cells }) => cells.some(({ messages }) => messages.length > 0))
}

/** An answer that is only a text is the message of an assistant. */
function readMessages(value: unknown): Message[] {
  const shape = shapeOf(value)
  if (shape.kind === 'conversation') return readConversation(shape).messages
  const parts = readContent(value)
  return parts.length === 0 ? [] : [{ role: 'assistant', name: undefined, parts }]
}

/** System messages at the start, other messages before the first one of a user, then a list per turn. */
function splitTurns(messages: Message[]): Message[][] {
  const system: Message[] = []
  const turns: Message[][] = [system, []]
  for (const message of messages) {
    if (message.role === 'user') turns.push([message])
    else if (message.role === 'system' && turns.length === 2 && turns[1]?.length === 0) system.push(message)
    else turns.at(-1)?.push(message)
  }
  return turns
}

function markChanges([first = [], ...others]: Message[][]): Cell[] {
  const known = new Set(first.map(textOfMessage))
  return [
    { messages: first, changed: new Set() },
    ...others.map((messages) => ({
      messages,
      changed: new Set(messages.filter((message) => !known.has(textOfMessage(message)))),
    })),
  ]
}

/** Without the ids of calls, which differ in every run. */
function textOfMessage({ role, name, parts }: Message): string | undefined {
  try {
    return JSON.stringify([role, name, parts.map((part) => ({ ...part, id: undefined }))])
  } catch {
    // Too deeply nested.
    return undefined
  }
}
