// Reads the items of OpenAI's Responses API that are not messages: calls of functions and of built-in tools, their outputs,
// and reasoning.
import { isObject, type JsonObject } from '../shape.ts'
import { firstText, textOf } from './members.ts'
import type { Message, Part } from './model.ts'
import { readContent, readInput, readResult, unknownPart } from './parts.ts'

export function readItem(item: JsonObject): Message {
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
    const parts: Part[] = [{ kind: 'call', name, id, input: readInput(item.arguments ?? item.input) }]
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
