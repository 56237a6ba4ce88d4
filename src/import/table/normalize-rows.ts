// Changes rows before their columns get roles: chat messages become texts, objects with several scores become columns, and
// rows that are not results are left out.
import type { RecordLimits } from '../../json/records.ts'
import { scanRecord } from '../../json/records.ts'
import { Json } from '../../json/value.ts'
import type { ColumnRole } from '../../schema/imports.ts'
import { parseNumber } from '../csv-rows.ts'
import { isMissing } from './cells.ts'
import { isConversation, isJudge, isScoreGroup, meaningOf } from './column-names.ts'
import { JUDGMENT_MEMBERS, SUMMARY_WORDS } from './name-lists.ts'
import { textOf } from './providers.ts'
import type { TableReader, TableValue } from './rows.ts'

type Values = (readonly [string, TableValue])[]

/** The role that an option gives to a column. Columns of a preset stay as they are. */
export type DecidedRole = (name: string) => ColumnRole | 'preset' | undefined

export function normalizeRows(
  reader: TableReader,
  decidedRole: DecidedRole,
  limits: RecordLimits,
): TableReader {
  return {
    ...reader,
    async *rows() {
      const uses = new ColumnUses(decidedRole)
      for await (const row of reader.rows()) {
        if (row.kind !== 'row') yield row
        else {
          const values = [...row.values]
          const omitted = findOmission(values)
          if (omitted === undefined) yield { ...row, values: normalizeRow(values, uses, limits) }
          else yield { kind: 'omission', record: row.index + 1, line: row.line, pointer: '', detail: omitted }
        }
      }
    },
  }
}

/** How a column is changed. Null if it is not. */
interface ColumnUse {
  isOutput: boolean
  isConversation: boolean
  hasScores: boolean
  /** Whether the output is in this column, and not only if no other one is the output. */
  isSureOutput: boolean
}

/** By name, because files have few names and many rows. */
class ColumnUses {
  readonly #uses = new Map<string, ColumnUse | null>()
  readonly #decidedRole: DecidedRole

  constructor(decidedRole: DecidedRole) {
    this.#decidedRole = decidedRole
  }

  get(name: string): ColumnUse | null {
    let use = this.#uses.get(name)
    if (use === undefined) {
      use = this.#create(name)
      this.#uses.set(name, use)
    }
    return use
  }

  #create(name: string): ColumnUse | null {
    const role = this.#decidedRole(name)
    if (role === 'preset') return null
    const meaning = role === undefined ? meaningOf(name) : undefined
    const isOutput = (role ?? meaning?.role) === 'output'
    const use = {
      isOutput,
      isSureOutput: isOutput && (meaning?.rank ?? 0) < 3,
      isConversation: (role === undefined || role === 'input') && isConversation(name),
      hasScores: role === undefined && (isScoreGroup(name) || isJudge(name)),
    }
    return use.isOutput || use.isConversation || use.hasScores ? use : null
  }
}

/** A row that is not a result says so in its first cells. */
const LABEL_CELLS = 3

/** Why a row is not a result, or undefined. */
function findOmission(values: Values): string | undefined {
  const [first] = values
  if (!first || values.length < 2) return undefined
  const labels = values.slice(0, LABEL_CELLS).map(([, value]) => (isNested(value) ? '' : textOf(value)))
  const isSeparator = labels.some((text) => /^:?-+:?$/.test(text))
  const isHeader = labels[0] === first[0]
  const label = labels.find((text) => SUMMARY_WORDS.includes(text.toLowerCase().replace(/:$/, '')))
  if (!isSeparator && !isHeader && label === undefined) return undefined
  const cells = values.map(([, value]) => textOf(value)).filter((text) => text !== '')
  // A cell with one hyphen means a missing value.
  if (isSeparator && cells.some((text) => text.length > 1) && cells.every((text) => /^:?-+:?$/.test(text)))
    return 'The row separates the header of a Markdown table from its rows. It was left out.'
  if (isHeader && values.every(([name, value]) => textOf(value) === name))
    return 'The row repeats the header. It was left out.'
  const texts = cells.filter((text) => !isMissing(text) && !isNumeric(text))
  // In a row of results, the other cells are not empty.
  const isSummary = label !== undefined && texts.length === 1 && cells.length > 1
  return isSummary && cells.length < values.length
    ? `The row with '${label}' summarizes others. It was left out.`
    : undefined
}

function isNested(value: TableValue): value is Json {
  return typeof value !== 'string' && (value.isObject || value.isArray)
}

function isNumeric(text: string): boolean {
  return parseNumber(text.replaceAll(/[%$€,\s]/g, '')) !== undefined || /^\d+\s*\/\s*\d+$/.test(text)
}

function normalizeRow(values: Values, uses: ColumnUses, limits: RecordLimits): Values {
  let hasOutput: boolean | undefined
  const findOutput = () =>
    values.some(([name, value]) => uses.get(name)?.isSureOutput === true && textOf(value) !== '')
  return values.flatMap(([name, value]): Values => {
    const use = uses.get(name)
    if (!use) return [[name, value]]
    if (isNested(value) && use.isConversation) {
      hasOutput ??= findOutput()
      const conversation = hasOutput ? undefined : readConversation(value)
      if (conversation) return [[name, conversation.before], ...outputValues('output', conversation)]
    }
    const message = isNested(value) && use.isOutput ? readMessageText(value) : undefined
    if (message) return outputValues(name, message)
    return (use.hasScores ? readScores(name, value, limits) : undefined) ?? [[name, value]]
  })
}

/** The text, and the message if it has more. */
function outputValues(name: string, { text, message, hasMore }: MessageText): Values {
  return hasMore
    ? [
        [name, text],
        [`${name}.message`, message],
      ]
    : [[name, text]]
}

/** One column per score. Objects that describe one result stay as they are. */
function readScores(name: string, value: TableValue, limits: RecordLimits): Values | undefined {
  const json = typeof value === 'string' ? parseObject(value, limits) : value
  if (!json?.isObject || json.get('error') || json.get('value')) return undefined
  const members = [...json.members]
  if (members.length === 0) return undefined
  if (!isScoreGroup(name) && !members.some(([member]) => JUDGMENT_MEMBERS.includes(member))) return undefined
  return members.map(([member, item]) => [`${name}.${member}`, item])
}

/** Python writes dictionaries with single quotes. */
function parseObject(text: string, limits: RecordLimits): Json | undefined {
  if (!/^\s*\{.*\}\s*$/s.test(text)) return undefined
  const json = text.includes('"') ? text : pythonToJson(text)
  const { scanned } = scanRecord(Buffer.from(json), { index: 0, line: 0, offset: 0 }, limits)
  return scanned ? new Json(scanned.text) : undefined
}

function pythonToJson(text: string): string {
  return text
    .replaceAll("'", '"')
    .replaceAll(/(?<=[:\s])(True|False|None)(?=[,}\s])/g, (word) => PYTHON_WORDS[word] ?? word)
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' }

// Messages of conversations with a language model: `role` and `content`, or `from` and `value`.

const ASSISTANTS = ['assistant', 'gpt', 'model', 'ai', 'bot', 'chatbot']

interface MessageText {
  text: Json
  /** What the text was read from. */
  message: Json
  /** Whether the message has more than its text, such as calls of tools. */
  hasMore: boolean
}

/** The last message of an assistant, and the messages before it. Undefined if the last message is of another role. */
function readConversation(value: Json): (MessageText & { before: Json }) | undefined {
  const messages = value.isArray ? value.elements : []
  const message = messages.at(-1)
  if (!message || messages.length < 2 || !isOfAssistant(message)) return undefined
  const read = readMessageText(message)
  return read && { ...read, before: Json.array(messages.slice(0, -1)) }
}

/** The text of a message, of the last one of a list, or of a chat completion. */
function readMessageText(value: Json): MessageText | undefined {
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
