// Recognizes conversations by their shape. In the first script of a page, so it only looks at the first levels of a value;
// read.ts reads the messages.
import { isMatch, isObject, type JsonObject } from './values.ts'

/** The messages of a list, a request, a response, or a single message. A system prompt next to them becomes the first one. */
export function messagesOf(value: unknown): unknown[] | undefined {
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
