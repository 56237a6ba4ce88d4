// Aligns conversations by turn. A turn starts with a message of the user. The answer at its end is aligned too, so that an
// additional tool call on one side moves nothing.

import type { Message } from '../../../../src/conversation/model.ts'
import { readContent } from '../../../../src/conversation/parts.ts'
import { readConversation } from '../../../../src/conversation/read.ts'
import { shapeOf } from '../../content/shape.ts'

/** What one conversation has in a turn. */
export interface Cell {
  messages: Message[]
  /** The messages that the first conversation does not have in this turn. Empty for the first one. */
  changed: Set<Message>
}

export interface Turn {
  /** "System", "Start", "Turn 1", "Turn 1, answer". */
  label: string
  /** One per conversation. */
  cells: Cell[]
}

export function alignTurns(values: readonly unknown[]): Turn[] {
  const shapes = values.map(shapeOf)
  const split = shapes.map((shape, index) =>
    splitTurns(shape.kind === 'conversation' ? readConversation(shape).messages : readAnswer(values[index])),
  )
  const count = Math.max(...split.map(({ length }) => length))
  const conversations = split.map((turns, index) =>
    // A text is the last answer, whatever was said before.
    shapes[index]?.kind === 'conversation' ? turns : [...emptyTurns(count - turns.length), ...turns],
  )
  const turns = Array.from({ length: count }, (_, index) => ({
    label: labelOf(index),
    cells: markChanges(conversations.map((turns) => turns[index] ?? [])),
  }))
  return turns.filter(({ cells }) => cells.some(({ messages }) => messages.length > 0))
}

function emptyTurns(count: number): Message[][] {
  return Array.from({ length: count }, () => [])
}

/** An answer that is only a text is the message of an assistant. */
function readAnswer(value: unknown): Message[] {
  const parts = readContent(value)
  return parts.length === 0 ? [] : [{ role: 'assistant', name: undefined, parts }]
}

/** System messages at the start, then the messages before the answer and the answer of each turn. */
function splitTurns(messages: Message[]): Message[][] {
  const systemCount = messages.findIndex(({ role }) => role !== 'system')
  const turns: Message[][] = [[]]
  for (const message of systemCount < 0 ? [] : messages.slice(systemCount)) {
    if (message.role === 'user') turns.push([message])
    else turns.at(-1)?.push(message)
  }
  return [systemCount < 0 ? messages : messages.slice(0, systemCount), ...turns.flatMap(splitAnswer)]
}

function splitAnswer(turn: Message[]): [before: Message[], answer: Message[]] {
  const last = turn.at(-1)
  const isAnswer = last?.role === 'assistant' && !last.parts.some(({ kind }) => kind === 'call')
  return isAnswer ? [turn.slice(0, -1), [last]] : [turn, []]
}

/** The labels of the lists that splitTurns returns. */
function labelOf(index: number): string {
  if (index === 0) return 'System'
  const turn = Math.floor((index - 1) / 2)
  const label = turn === 0 ? 'Start' : `Turn ${turn}`
  return index % 2 === 1 ? label : `${label}, answer`
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
