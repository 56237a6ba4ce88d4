// Serializes a scenario as a preview row. Long texts are truncated; `cut` lists JSON pointers to them. Values that are
// not truncated keep their exact JSON text. `conversations` has what a table shows of a conversation.
import { previewConversation, type Role } from '../conversation/preview.ts'
import { splitElements, splitMembers, unescapeString } from '../json/member-texts.ts'

/**
 * A row: its position, the members of the scenario, `conversations` if it has any, `reasons` if the extra data is given, and
 * `cut` with pointers to truncated texts.
 */
export function previewRow(position: number, body: string, maxLength: number, extra?: string): string {
  const truncator = new Truncator(maxLength)
  const members: string[] = [`"position":${position}`]
  for (const [name, text] of splitMembers(body)) {
    if (name === 'evaluation_id') continue
    const truncateMember = TRUNCATIONS[name]
    members.push(`"${name}":${truncateMember ? truncateMember(truncator, text, `/${name}`) : text}`)
  }
  if (truncator.conversations.length > 0)
    members.push(`"conversations":[${truncator.conversations.join(',')}]`)
  if (extra !== undefined) members.push(`"reasons":${previewReasons(truncator, extra)}`)
  return `{${members.join(',')},"cut":${JSON.stringify(truncator.cut)}}`
}

/** The reasons of the results, and who gave them, in the order of the results. Extra data is free-form. */
function previewReasons(truncator: Truncator, extra: string): string {
  const details = splitMembers(extra).get('results') ?? ''
  if (!details.startsWith('[')) return '[]'
  const reasons = splitElements(details).map((element, index) => {
    if (!element.startsWith('{')) return 'null'
    const members = splitMembers(element)
    const read = (name: string) => {
      const text = members.get(name) ?? 'null'
      const isText = text === 'null' || text.startsWith('"')
      return truncator.truncate(isText ? text : JSON.stringify(text), `/reasons/${index}/${name}`)
    }
    return `{"reason":${read('reason')},"by":${read('by')}}`
  })
  return `[${reasons.join(',')}]`
}

type Truncation = (truncator: Truncator, text: string, pointer: string) => string

const truncateText: Truncation = (truncator, text, pointer) => truncator.truncate(text, pointer)
const truncateQuestion: Truncation = (...value) => truncateConversation('user', ...value)
const truncateAnswer: Truncation = (...value) => truncateConversation('assistant', ...value)
const truncateError = objectTruncation({ message: truncateText, stacktrace: truncateText })

function truncateConversation(role: Role, ...[truncator, text, pointer]: Parameters<Truncation>): string {
  const truncated = truncator.truncate(text, pointer)
  truncator.addConversation(role, text, pointer)
  return truncated
}

const TRUNCATIONS: Record<string, Truncation> = {
  inputs: arrayTruncation(objectTruncation({ value: truncateQuestion })),
  outputs: arrayTruncation(
    objectTruncation({ result: objectTruncation({ value: truncateAnswer, error: truncateError }) }),
  ),
  correct_answers: arrayTruncation(objectTruncation({ value: truncateAnswer })),
  note: truncateText,
  results: arrayTruncation(
    objectTruncation({ result: objectTruncation({ value: truncateText, error: truncateError }) }),
  ),
}

/** Truncates members of an object. Optional objects can be null, which stays null. */
function objectTruncation(truncations: Record<string, Truncation>): Truncation {
  return (truncator, text, pointer) => {
    if (text === 'null' || truncator.isUnchanged(text)) return text
    const members = [...splitMembers(text)].map(
      ([name, member]) =>
        `"${name}":${truncations[name]?.(truncator, member, `${pointer}/${name}`) ?? member}`,
    )
    return `{${members.join(',')}}`
  }
}

function arrayTruncation(truncateElement: Truncation): Truncation {
  return (truncator, text, pointer) => {
    if (text === 'null' || truncator.isUnchanged(text)) return text
    return `[${splitElements(text).map((element, index) => truncateElement(truncator, element, `${pointer}/${index}`))}]`
  }
}

/** A member `value` that is a list or an object, or a text that begins like one. */
const CONTAINER_VALUE = /"value":"?(?:\\[nrt]|\s)*[[{]/

class Truncator {
  readonly #maxLength: number
  readonly cut: string[] = []
  /** JSON texts. */
  readonly conversations: string[] = []

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** Whether the row has an object or list as it is: no text in it is too long, and no value in it can be a conversation. */
  isUnchanged(json: string): boolean {
    return this.fits(json) && !CONTAINER_VALUE.test(json)
  }

  /** Whether the JSON text is within the limit. Then every text in it is, too. */
  fits(json: string): boolean {
    return json.length <= this.#maxLength
  }

  /** A value that is not a string is truncated as JSON text and becomes a string. */
  truncate(json: string, pointer: string): string {
    if (this.fits(json)) return json
    const text = json.startsWith('"') ? unescapeString(json) : json
    const start = firstCodePoints(text, this.#maxLength)
    if (start.length === text.length) return json
    this.cut.push(pointer)
    return JSON.stringify(start)
  }

  /** Adds what a table shows of the value, if it is a conversation. */
  addConversation(role: Role, json: string, pointer: string): void {
    const preview = previewConversation(json, role)
    if (!preview) return
    const textPointer = `/conversations/${this.conversations.length}/text`
    const text = this.truncate(JSON.stringify(preview.text), textPointer)
    this.conversations.push(`{"pointer":"${pointer}","kind":"${preview.kind}","text":${text}}`)
  }
}

/** Splits into code points only if there are surrogates, because splitting is slow. */
function firstCodePoints(text: string, count: number): string {
  const start = text.slice(0, count)
  return /[\ud800-\udfff]/.test(start) ? [...text.slice(0, 2 * count)].slice(0, count).join('') : start
}
