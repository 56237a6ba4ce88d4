// Checks the patterns of filters in the OpenAPI document against the parser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeInvalidFilter } from '../../src/schema/filters/corrections.ts'
import {
  EVALUATION_FILTERS,
  type FilterField,
  ROW_FIELDS,
  VARIANT_FILTERS,
} from '../../src/schema/filters/fields.ts'
import { filterPattern, parseCondition } from '../../src/schema/filters/filters.ts'
import { formatInList, parseInList } from '../../src/schema/filters/in-operand.ts'
import { ORDER_PATTERN, parseOrder } from '../../src/schema/filters/orders.ts'
import { anyCharacter } from '../support/characters.ts'

const OPERANDS = [
  '',
  'x',
  'true',
  'false',
  'null',
  'error',
  'present',
  'running',
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
  '()',
  '(1)',
  '(a,b)',
  '(1,2.5,"3")',
  '(a, b)',
  '("a,b",c)',
  String.raw`("say \"hi\"","\\")`,
  '("")',
  '(a',
  '(a)b',
  '(a,)',
  '("a)',
  '(a"b)',
  '(a b)',
  '(-1)',
  '(running,"failed")',
]
const PREFIXES = [
  'eq.',
  'ne.',
  'in.',
  'IN.',
  'in',
  'lt.',
  'lte.',
  'gt.',
  'gte.',
  'contains.',
  'has.',
  'is.',
  'Eq.',
  '',
]

test('the patterns of filters match exactly what the parser accepts', () => {
  const fields: [string, FilterField][] = [
    ...ROW_FIELDS,
    ...Object.entries(EVALUATION_FILTERS),
    ...Object.entries(VARIANT_FILTERS),
  ]
  for (const [name, field] of fields) {
    if (field.type === 'search' || field.type === 'pair') continue
    const pattern = new RegExp(filterPattern(field))
    for (const prefix of PREFIXES)
      for (const operand of OPERANDS) {
        const text = prefix + operand
        assert.equal(pattern.test(text), parseCondition(field, text) !== undefined, `${name}=${text}`)
      }
  }
})

test('an in-list that is written can be read', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1 }), (members) => {
      assert.deepEqual(parseInList(formatInList(members)), members)
    }),
  )
})

test('every correction of an invalid filter is valid', () => {
  for (const [name, field] of [...ROW_FIELDS, ...Object.entries(EVALUATION_FILTERS)] as [
    string,
    FilterField,
  ][]) {
    if (field.type === 'search' || field.type === 'pair') continue
    for (const prefix of [...PREFIXES, 'like.', 'neq.', 'constructor.', '__proto__.'])
      for (const operand of OPERANDS) {
        if (parseCondition(field, prefix + operand)) continue
        const message = describeInvalidFilter(name, field, prefix + operand)
        const corrections = [...message.matchAll(/(?:Use| or) '([^'=]+)=([^']*)'/g)]
        assert.ok(corrections.length > 0, message)
        for (const [, , value = ''] of corrections)
          assert.ok(parseCondition(field, decodeURIComponent(value)), message)
      }
  }
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
