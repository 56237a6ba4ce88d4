// Checks the patterns of filters in the OpenAPI document against the parser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  EVALUATION_FILTERS,
  type FilterField,
  ROW_FIELDS,
  VARIANT_FILTERS,
} from '../../src/schema/filters/fields.ts'
import { filterPattern, parseCondition } from '../../src/schema/filters/filters.ts'
import { ORDER_PATTERN, parseOrder } from '../../src/schema/filters/orders.ts'

const OPERANDS = [
  '',
  'x',
  'true',
  'false',
  'null',
  'error',
  'present',
  '0',
  '-1.5e3',
  '1.',
  '.5',
  '1e',
  '2147483648',
  '2026-11-15T09:15:00Z',
  '2026-11-15 09:15:00.123+01:00',
  '2026-11-15',
  '2026-11-15T25:00:00Z',
  'a.b',
  '\n',
]
const PREFIXES = ['eq.', 'ne.', 'lt.', 'lte.', 'gt.', 'gte.', 'contains.', 'is.', 'Eq.', '']

function checkPattern(name: string, field: FilterField, defaultOperator?: 'eq'): void {
  const pattern = new RegExp(filterPattern(field, defaultOperator))
  for (const prefix of PREFIXES) {
    for (const operand of OPERANDS) {
      const text = prefix + operand
      const isValid = parseCondition(field, text, defaultOperator) !== undefined
      // A pattern without lookahead cannot exclude a text that begins with an operator of another field.
      const isShorthand = defaultOperator !== undefined && (field.type === 'name' || field.type === 'id')
      if (isShorthand && text !== '' && !isValid) continue
      assert.equal(pattern.test(text), isValid, `${name}=${text}`)
    }
  }
}

test('the patterns of row filters match exactly what the parser accepts', () => {
  for (const [name, field] of ROW_FIELDS) if (field.type !== 'search') checkPattern(name, field)
})

test('the patterns of list filters match exactly what the parser accepts', () => {
  for (const filters of [EVALUATION_FILTERS, VARIANT_FILTERS])
    for (const [name, field] of Object.entries(filters)) checkPattern(name, field, 'eq')
})

test('the pattern of sort orders matches exactly what the parser accepts', () => {
  const pattern = new RegExp(ORDER_PATTERN)
  const fields = [
    'position',
    'latency',
    'cost',
    'result',
    'delta',
    'result.a.b',
    'delta.',
    'latency.x',
    'x',
    '',
  ]
  for (const field of fields)
    for (const direction of ['', '.asc', '.desc', '.ASC', '.'])
      assert.equal(
        pattern.test(field + direction),
        parseOrder(field + direction) !== undefined,
        field + direction,
      )
})
