// Reads the content of a message: a text, or a list of parts. OpenAI, Anthropic, Inspect and LangChain name the type of a
// part in `type`. Their types are disjoint or mean the same, so that one table is enough.

import type { Part } from './model.ts'
import { isObject, isScalar, type JsonObject, MAX_JSON_LENGTH, parseJsonText } from './values.ts'

export function readContent(content: unknown): Part[] {
  if (content === null || content === undefined || content === '') return []
  if (Array.isArray(content)) return content.flatMap(readPart)
  return readPart(content)
}

function readPart(part: unknown): Part[] {
  if (typeof part === 'string') return [{ kind: 'text', text: part }]
  if (!isObject(part)) return [unknownPart(part)]
  return readTypedPart(part) ?? readGeminiPart(part) ?? [unknownPart(part)]
}

export function unknownPart(value: unknown): Part {
  return { kind: 'json', name: (isObject(value) && textOf(value.type)) || 'content', value }
}

function readTypedPart(part: JsonObject): Part[] | undefined {
  switch (part.type) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'summary_text':
    case 'reasoning_text':
      return readText(part)
    case 'refusal':
      return typeof part.refusal === 'string' ? [{ kind: 'refusal', text: part.refusal }] : undefined
    case 'thinking':
    case 'redacted_thinking':
    case 'reasoning':
      return [readReasoning(part)]
    case 'image':
    case 'image_url':
    case 'input_image':
    case 'computer_screenshot':
    case 'audio':
    case 'input_audio':
    case 'video':
    case 'video_url':
    case 'file':
    case 'input_file':
    case 'document':
      return readMedia(part)
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
    case 'tool_call':
    case 'tool-call':
    case 'function':
    case 'custom':
      return readCall(part)
    case 'tool_result':
    case 'mcp_tool_result':
    case 'web_search_tool_result':
    case 'web_fetch_tool_result':
    case 'code_execution_tool_result':
    case 'tool-result':
      return [
        readResult(part.content ?? part.output ?? part.result, {
          id: firstText(part.tool_use_id, part.toolCallId),
          name: textOf(part.toolName),
          isError: part.is_error === true,
        }),
      ]
    default:
      return undefined
  }
}

function readText({ text, refusal, citations, annotations }: JsonObject): Part[] | undefined {
  if (typeof text !== 'string') return undefined
  const parts: Part[] = [{ kind: refusal === true ? 'refusal' : 'text', text }]
  const sources = citations ?? annotations
  if (Array.isArray(sources) && sources.length > 0)
    parts.push({ kind: 'json', name: 'citations', value: sources })
  return parts
}

/** Anthropic has `thinking`, Inspect `reasoning` and a `summary`, the Responses API lists of texts. */
function readReasoning({ thinking, reasoning, text, summary, content }: JsonObject): Part {
  const texts = [thinking, reasoning, text, ...[summary, content].flat()].map((entry) =>
    textOf(isObject(entry) ? entry.text : entry),
  )
  return { kind: 'reasoning', text: texts.filter(Boolean).join('\n\n') }
}

/** The member with the address is named after the type, and is a text or an object, depending on the provider. */
function readMedia(part: JsonObject): Part[] | undefined {
  const type = String(part.type)
  const [source] = [part.source, part.file, part.input_audio, part.image_url, part.video_url, part]
    .map((candidate) => (typeof candidate === 'string' ? { url: candidate } : candidate))
    .filter(isObject)
  if (!source) return undefined
  // Documents of Anthropic can contain text.
  if (source.type === 'text' || source.type === 'content') return readContent(source.data ?? source.content)
  const mediaType =
    firstText(source.media_type, source.mime_type, source.mimeType, source.mediaType) ??
    mediaTypeOf(type, textOf(source.format))
  const base64 = firstText(source.data, source.base64)
  const address =
    base64 !== undefined && !base64.startsWith('data:')
      ? `data:${mediaType};base64,${base64}`
      : firstText(base64, source.url, source.file_url, source.file_data, source.file_id, source[type])
  const name = firstText(source.filename, part.title)
  if (address === undefined) return undefined
  return [{ kind: 'media', mediaType: name === undefined ? mediaType : `${mediaType} ${name}`, address }]
}

/** "input_audio" with the format "wav" is audio/wav. */
function mediaTypeOf(type: string, format: string | undefined): string {
  const family = type.replace(/^input_|_url$/g, '').replace('computer_screenshot', 'image')
  return format === undefined ? family : `${family}/${format}`
}

/** A tool call, in a list of parts or in `tool_calls`. Inspect has the result of a tool of the provider in the same part. */
export function readCall(call: unknown): Part[] | undefined {
  if (!isObject(call)) return undefined
  // OpenAI has name and input in a member that is named after the type.
  const details = [call.function, call.custom].find(isObject) ?? call
  const name = firstText(details.name, call.function, call.toolName)
  if (name === undefined) return undefined
  const id = firstText(call.id, call.toolCallId)
  const parts: Part[] = [
    { kind: 'call', name, id, ...readInput({ parse_error: call.parse_error, ...details }) },
  ]
  if (call.result !== undefined || isGiven(call.error))
    parts.push(
      readResult(isGiven(call.error) ? call.error : call.result, { name, id, isError: isGiven(call.error) }),
    )
  return parts
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined
}

/** `arguments` is an object, or its JSON text. `input` and `args` can be any text. Inspect stores why it could not parse arguments. */
export function readInput({ arguments: json, input, args, parse_error }: JsonObject): {
  input: unknown
  isInvalid?: boolean
} {
  if (textOf(parse_error) !== undefined) return { input: parse_error, isInvalid: true }
  const value = json ?? input ?? args
  return {
    input: typeof value === 'string' ? (parseJsonText(value) ?? textOf(value)) : value,
    ...(typeof json === 'string' && !isJson(json) && { isInvalid: true }),
  }
}

/** Some providers write an empty text if a tool has no arguments. */
function isJson(text: string): boolean {
  if (text.trim() === '' || text.length > MAX_JSON_LENGTH) return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

type ResultOptions = Partial<Omit<Extract<Part, { kind: 'result' }>, 'kind' | 'parts'>>

/** What a tool returned: a text, JSON in a text, a list of parts, or any value. */
export function readResult(content: unknown, { name, id, isError = false }: ResultOptions): Part {
  return { kind: 'result', name, id, isError, parts: readOutput(content) }
}

function readOutput(content: unknown): Part[] {
  if (typeof content === 'string') {
    const value = parseJsonText(content)
    // A list of parts can also be a JSON text.
    return value === undefined ? readContent(content) : readOutput(value)
  }
  if (Array.isArray(content) && content.every((part) => isObject(part) && readTypedPart(part) !== undefined))
    return content.flatMap(readPart).flatMap(readTextPart)
  if (isObject(content) && readTypedPart(content)) return readPart(content)
  return isScalar(content) && !isGiven(content) ? [] : [{ kind: 'json', name: 'content', value: content }]
}

/** A tool often returns JSON in a text part. */
function readTextPart(part: Part): Part[] {
  const value = part.kind === 'text' ? parseJsonText(part.text) : undefined
  return value === undefined ? [part] : [{ kind: 'json', name: 'content', value }]
}

/** Reads the parts of a Gemini message. The member that is set is the type of the part. The REST API writes names in camelCase, the Python SDK in snake_case. */
function readGeminiPart(part: JsonObject): Part[] | undefined {
  if (typeof part.text === 'string')
    return [{ kind: part.thought === true ? 'reasoning' : 'text', text: part.text }]
  const call = memberOf(part, 'functionCall', 'function_call')
  if (call)
    return [{ kind: 'call', name: textOf(call.name) ?? 'function', id: textOf(call.id), input: call.args }]
  const response = memberOf(part, 'functionResponse', 'function_response')
  if (response) return [resultOf(textOf(response.name), textOf(response.id), response.response)]
  const code = memberOf(part, 'executableCode', 'executable_code')
  if (code) return [{ kind: 'call', name: 'code_execution', id: textOf(code.id), input: code }]
  const result = memberOf(part, 'codeExecutionResult', 'code_execution_result')
  if (result) {
    const isError = result.outcome !== 'OUTCOME_OK'
    return [resultOf('code_execution', textOf(result.id), result.output ?? result.outcome, isError)]
  }
  const data = memberOf(part, 'inlineData', 'inline_data') ?? memberOf(part, 'fileData', 'file_data')
  if (!data) return undefined
  const mediaType = firstText(data.mimeType, data.mime_type) ?? 'file'
  const address = firstText(data.fileUri, data.file_uri)
  if (address !== undefined) return [{ kind: 'media', mediaType, address }]
  return typeof data.data === 'string'
    ? [{ kind: 'media', mediaType, address: `data:${mediaType};base64,${data.data}` }]
    : undefined
}

function resultOf(name: string | undefined, id: string | undefined, value: unknown, isError = false): Part {
  const content: Part =
    typeof value === 'string' ? { kind: 'text', text: value } : { kind: 'json', name: 'content', value }
  return { kind: 'result', name, id, isError, parts: [content] }
}

function memberOf(part: JsonObject, camelName: string, snakeName: string): JsonObject | undefined {
  return [part[camelName], part[snakeName]].find(isObject)
}

/** Empty texts count as missing: providers write them for members that do not apply. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The first of these values that is a text. */
export function firstText(...values: unknown[]): string | undefined {
  return values.find((value): value is string => textOf(value) !== undefined)
}
