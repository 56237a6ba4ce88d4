// Error messages for invalid filters: the corrected parameter, and what is allowed.
import { truncate } from '../validation/truncate.ts'
import { type FilterField, splitAtDot } from './fields.ts'
import { filterForms, OPERANDS, OPERATORS, parseCondition } from './filters.ts'
import { formatInList, MAX_IN_MEMBERS, parseInList } from './in-operand.ts'

/** Operators of other APIs. */
const SYNONYMS: Readonly<Record<string, string>> = {
  neq: 'ne',
  not: 'ne',
  equals: 'eq',
  ge: 'gte',
  le: 'lte',
  like: 'contains',
  ilike: 'contains',
  is: 'eq',
}

/** The message for a value that parseCondition rejects. */
export function describeInvalidFilter(
  parameter: string,
  field: FilterField,
  text: string,
  encode = encodeForUrl,
): string {
  const [operator, operand = ''] = splitAtDot(text)
  const invalidFilter = `The filter '${truncate(parameter, 100)}=${truncate(text, 200)}' is invalid.`
  if (operator === 'in' && (parseInList(operand)?.length ?? 0) > MAX_IN_MEMBERS)
    return `${invalidFilter} A list can have at most ${MAX_IN_MEMBERS} members. Send several requests.`
  const corrections = suggestCorrections(field, text).map(
    (value) => `'${encode(parameter)}=${encode(truncate(value, 200))}'`,
  )
  return `${invalidFilter} Use ${corrections.join(' or ')}. ${describeForms(field)}`
}

/** The message for values that parsePair rejects. */
export function describeInvalidPair(parameter: string, texts: string[], encode = encodeForUrl): string {
  const [first = 'a', second = first === 'b' ? 'a' : 'b'] = new Set(texts)
  const corrected = [first, second].map((text) => `${parameter}=${encode(truncate(text, 200))}`)
  return `Send the filter '${parameter}' exactly twice, with the names of two different evaluators: '${corrected.join('&')}'.`
}

/** The allowed values of a field, and what x is. */
export function describeForms(field: FilterField): string {
  const forms = `Allowed: ${filterForms(field).join(', ')}`
  return field.operators.length === 0
    ? `${forms}.`
    : `${forms}, where x is ${OPERANDS[field.type].description}.`
}

/** One or two valid values that are close to the text. */
function suggestCorrections(field: FilterField, text: string): string[] {
  const { type, operators, words = {} } = field
  const defaultOperator = operators.find((operator) => ['eq', 'gte', 'has'].includes(operator))
  const [head, rest] = splitAtDot(text)
  const name = head.toLowerCase()
  const operator = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : name
  const isOperator = rest !== undefined && (operator !== name || Object.hasOwn(OPERATORS, name))
  const operand = rest ?? text
  const isValid = (value: string) => parseCondition(field, value) !== undefined
  const closest = [
    `${operator}.${operator === 'contains' ? operand.replace(/^[*%]+|[*%]+$/g, '') : operand}`,
    ...(operator === 'in' ? [`in.${toInList(operand)}`] : []),
    `is.${operand.toLowerCase()}`,
    ...(isOperator && !operators.some((allowed) => allowed === operator)
      ? [`${defaultOperator}.${operand}`]
      : []),
  ].find(isValid)
  // The text can be meant as it is if it does not begin with an operator of the grammar.
  const isLiteral = rest === undefined || !Object.hasOwn(OPERATORS, name)
  const literals = isLiteral ? [`${defaultOperator}.${text}`, `contains.${text}`].filter(isValid) : []
  const valid = [...(closest === undefined ? [] : [closest]), ...literals]
  if (valid.length > 0) return valid.slice(0, 2)
  const allowed = operators.find((allowed) => allowed === operator) ?? defaultOperator
  if (allowed === undefined) return [`is.${Object.keys(words)[0]}`]
  const { example } = OPERANDS[type]
  return [`${allowed}.${allowed === 'in' ? `(${example})` : example}`]
}

/** Adds missing parentheses and quotes. */
function toInList(text: string): string {
  const members = text.replace(/^\(|\)$/g, '').split(',')
  return formatInList(members.map((member) => member.trim().replace(/^(["'])(.*)\1$/, '$2')))
}

/** Percent-encodes a text so that it can be pasted into a URL and read. */
export function encodeForUrl(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed())
  return encoded.replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll("'", '%27')
}
