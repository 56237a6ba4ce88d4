// Reads conversations in all formats into one model. Hostile values must not throw: every member is checked before it is used.

import type { Conversation, Message, Part } from './model.ts'
import { firstText, readCall, readContent, readInput, readResult, textOf, unknownPart } from './parts.ts'
import { isObject, type JsonObject } from './values.ts'

/** `messages` are those of `value` (see messages.ts). */
export function readConversation({ value, messages }: { value: unknown; messages: unknown[] }): Conversation {
  const read = messages.map(readMessage)
  nameResults(read)
  return {
    messages: read,
    otherMembers: isObject(value) && !messages.includes(value) ? others(value, messages) : {},
  }
}

/** Members without messages. A system prompt was read, too (see messages.ts). */
function others(value: JsonObject, messages: readonly unknown[]): JsonObject {
  const read = new Set(messages)
  const hasMessage = (entry: unknown) =>
    read.has(entry) || (isObject(entry) && (read.has(entry.message) || read.has(entry.content)))
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name, member]) =>
        member !== null &&
        !/^(?:system.?instruction|system|instructions)$/i.test(name) &&
        ![member].flat(3).some(hasMessage),
    ),
  )
}

export function readMessage(value: unknown): Message {
  const message = isObject(value) ? unwrapLangChain(value) : {}
  const { role, type } = message
  if (typeof role !== 'string' && typeof type === 'string' && !ROLES.has(type)) return readItem(message)
  return readChatMessage(message)
}

const ROLES = new Map([
  ['developer', 'system'],
  ['human', 'user'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['function', 'tool'],
  ...['system', 'user', 'assistant', 'tool', 'chat'].map((role): [string, string] => [role, role]),
])

/** LangChain stores messages as a class with arguments, as a type with `data`, or as a type with members. */
function unwrapLangChain(value: JsonObject): JsonObject {
  const { kwargs, id, data, type, role } = value
  if (isObject(kwargs)) {
    const className = Array.isArray(id) ? String(id.at(-1)) : ''
    return { type: className.replace(/Message(?:Chunk)?$/, '').toLowerCase(), ...kwargs }
  }
  if (typeof role === 'string' || typeof type !== 'string') return value
  const chunkType = type.replace(/MessageChunk$/, '').toLowerCase()
  return isObject(data) ? { ...data, type: chunkType } : { ...value, type: chunkType }
}

function readChatMessage(message: JsonObject): Message {
  const { name, tool_call_id, error } = message
  // Gemini does not require a role.
  const storedRole = firstText(message.role, message.type) ?? 'user'
  const role = ROLES.get(storedRole) ?? storedRole
  const author = textOf(name)
  if (role !== 'tool' || message.parts !== undefined) {
    const parts = readParts(message)
    // Results of tools are in messages of the user, for Anthropic and Gemini.
    const isTool = parts.length > 0 && parts.every(({ kind }) => kind === 'result')
    return { role: isTool ? 'tool' : role, name: author, parts }
  }
  const id = textOf(tool_call_id)
  const isError = isObject(error) || message.status === 'error'
  const result = readResult(message.content, { id, name: author ?? textOf(message.function), isError })
  if (isObject(error) && typeof error.message === 'string' && result.kind === 'result')
    result.parts.push({ kind: 'text', text: error.message })
  const isWrapped = result.kind === 'result' && result.parts.every(({ kind }) => kind === 'result')
  return { role, name: undefined, parts: isWrapped && result.parts.length > 0 ? result.parts : [result] }
}

function readParts(message: JsonObject): Part[] {
  const { content, parts, refusal, audio, additional_kwargs } = message
  const additional = isObject(additional_kwargs) ? additional_kwargs : {}
  const contentParts = readContent(isObject(content) && 'parts' in content ? content.parts : content)
  return [
    ...readReasoningMembers(message),
    ...readReasoningMembers(additional),
    ...contentParts,
    ...readContent(parts),
    ...(textOf(refusal) === undefined ? [] : [{ kind: 'refusal' as const, text: String(refusal) }]),
    ...(isObject(audio) ? readAudio(audio) : []),
    ...readCalls(message, additional, contentParts),
  ]
}

function readReasoningMembers({ reasoning_content, reasoning }: JsonObject): Part[] {
  const text = firstText(reasoning_content, reasoning)
  return text === undefined ? [] : [{ kind: 'reasoning', text }]
}

/** What a model said, with its transcript. */
function readAudio({ transcript, data, id }: JsonObject): Part[] {
  const address = textOf(data) === undefined ? textOf(id) : `data:audio;base64,${data}`
  return [
    ...readContent(transcript),
    ...(address === undefined ? [] : [{ kind: 'media' as const, mediaType: 'audio', address }]),
  ]
}

function readCalls(message: JsonObject, additional: JsonObject, contentParts: Part[]): Part[] {
  // LangChain stores calls with invalid arguments in a list of their own.
  const invalidCalls = [message.invalid_tool_calls]
    .flat()
    .filter(isObject)
    .map((call) => ({ ...call, arguments: call.args }))
  const lists = [[message.tool_calls ?? [], invalidCalls].flat(2), additional.tool_calls]
  const calls = lists.find((list) => Array.isArray(list) && list.length > 0)
  const functionCall = [message.function_call, additional.function_call].find(isObject)
  const parts = Array.isArray(calls) ? calls.flatMap((call) => readCall(call) ?? unknownPart(call)) : []
  if (functionCall)
    parts.push({
      kind: 'call',
      name: textOf(functionCall.name) ?? 'function',
      id: undefined,
      ...readInput(functionCall),
    })
  // LangChain repeats the calls of Anthropic models, which are in the content too.
  const ids = new Set(contentParts.map((part) => (part.kind === 'call' ? part.id : undefined)))
  return parts.filter((part) => part.kind !== 'call' || part.id === undefined || !ids.has(part.id))
}

/** Results refer to a call by its id. Sets the name of the tool. */
function nameResults(messages: Message[]): void {
  const names = new Map<string, string>()
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'call' && part.id !== undefined) names.set(part.id, part.name)
    if (part.kind === 'result' && part.id !== undefined) part.name ??= names.get(part.id)
  }
}

/** Reads the items of OpenAI's Responses API that are not messages: calls of functions and of built-in tools, their outputs, and reasoning. */
function readItem(item: JsonObject): Message {
  const type = String(item.type)
  const isOutput = type.endsWith('_output')
  return { role: isOutput ? 'tool' : 'assistant', name: undefined, parts: readItemParts(item, type) }
}

function readItemParts(item: JsonObject, type: string): Part[] {
  const id = firstText(item.call_id, item.id)
  if (type === 'reasoning') return readContent([item])
  if (type.endsWith('_call_output')) return [readResult(item.output, { id })]
  if (type === 'function_call' || type === 'custom_tool_call' || type === 'mcp_call') {
    const name = textOf(item.name) ?? type
    const parts: Part[] = [{ kind: 'call', name, id, ...readInput(item) }]
    const { output, error } = item
    if (error ?? output) parts.push(readResult(error ?? output, { name, id, isError: Boolean(error) }))
    return parts
  }
  if (type === 'image_generation_call' && typeof item.result === 'string')
    return [{ kind: 'media', mediaType: 'image/png', address: `data:image/png;base64,${item.result}` }]
  if (type.endsWith('_call')) {
    // A tool of the provider, such as `web_search_call`. What it did is in members of its own.
    const { type: _, id: _id, call_id, status, action, ...members } = item
    return [{ kind: 'call', name: type.replace('_call', ''), id, input: isObject(action) ? action : members }]
  }
  return [unknownPart(item)]
}
