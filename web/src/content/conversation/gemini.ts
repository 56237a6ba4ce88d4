// Reads the parts of a Gemini message. The member that is set is the type of the part. The REST API writes names in camelCase, the
// Python SDK in snake_case.
import { isObject, type JsonObject } from '../shape.ts'
import { firstText, textOf } from './members.ts'
import type { Part } from './model.ts'

export function readGeminiPart(part: JsonObject): Part[] | undefined {
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
