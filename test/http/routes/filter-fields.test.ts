// Every field of the filter tables is accepted by the service and documented in openapi.json. docs.test.ts checks the
// reference, and test/web/evaluation-params.test.ts the page.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import {
  EVALUATION_FILTERS,
  type FilterField,
  type ListFilters,
  type OperandType,
  ROW_FIELDS,
  VARIANT_FILTERS,
} from '../../../src/schema/filters/fields.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { EVALUATIONS, JSON_TYPE, scenariosPath } from '../../support/write-requests.ts'

const store = await createTestStore()
const service = await startTestService(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const headers = { authorization: key, 'content-type': JSON_TYPE }
const scenario = {
  id: 'a',
  inputs: [{ name: 'x', type: 'text', value: '1' }],
  results: ['x', 'y'].map((evaluator_config) => ({ evaluator_config, result: { type: 'number', value: 1 } })),
}
for (const id of ['base', 'candidate']) {
  await sendRequest(service.baseUrl, EVALUATIONS, headers, 'POST', JSON.stringify({ id }))
  await sendRequest(service.baseUrl, scenariosPath(id), headers, 'POST', JSON.stringify([scenario]))
}

const OPERANDS: Record<OperandType, string> = {
  search: 'text',
  number: '1',
  score: '1',
  text: 'text',
  group: 'Timeout',
  name: 'name',
  pair: 'x',
  id: 'id',
  revision: '1',
  status: 'running',
  time: '2026-11-01T00:00:00Z',
}

/** A value with each operator and each keyword of the field. Several values repeat the parameter. */
function valuesOf({ type, operators, words = {} }: FilterField): (string | string[])[] {
  if (type === 'search') return [OPERANDS[type]]
  if (type === 'pair') return [['x', 'y']]
  return [
    ...Object.keys(words).map((word) => `is.${word}`),
    ...operators.map(
      (operator) => `${operator}.${operator === 'in' ? `(${OPERANDS[type]})` : OPERANDS[type]}`,
    ),
  ]
}

async function assertAccepted(path: string, parameter: string, field: FilterField): Promise<void> {
  const values = valuesOf(field)
  assert.ok(values.length > 0)
  for (const value of values) {
    const parameters = [value].flat().map((text) => `${parameter}=${encodeURIComponent(text)}`)
    const search = `${path.includes('?') ? '&' : '?'}${parameters.join('&')}`
    const response = await sendRequest(service.baseUrl, path + search, headers)
    assert.equal(response.status, 200, `${path}${search}: ${response.text}`)
  }
}

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
/** The parameters of an operation as JSON text, with those that are shared by reference. */
function parameterTexts(path: string): string {
  const parameters: { $ref?: string }[] = document.paths[path].get.parameters
  const resolved = parameters.map((parameter) =>
    parameter.$ref ? document.components.parameters[parameter.$ref.split('/').at(-1) ?? ''] : parameter,
  )
  return JSON.stringify(resolved)
}

const ROW_PATHS: [path: string, documentedPath: string][] = [
  ['/api/evaluations/candidate/rows?base=base', '/api/evaluations/{evaluation_id}/rows'],
  ['/api/evaluations/candidate/summary?base=base', '/api/evaluations/{evaluation_id}/summary'],
  ['/api/evaluations/candidate/breakdown?base=base&by=error', '/api/evaluations/{evaluation_id}/breakdown'],
  [
    '/api/evaluations/candidate/agreement?base=base&evaluator=x&with=y',
    '/api/evaluations/{evaluation_id}/agreement',
  ],
  [
    '/api/evaluations/candidate/evaluation_scenarios?base=base',
    '/api/evaluations/{evaluation_id}/evaluation_scenarios',
  ],
  ['/api/comparisons/rows?evaluation=base&evaluation=candidate', '/api/comparisons/rows'],
]

describe('row filters', () => {
  for (const [field, row] of ROW_FIELDS) {
    const parameter = row.names ? `${row.prefix ?? field}.x` : field
    for (const [path, documentedPath] of ROW_PATHS) {
      test(`${parameter} is accepted by ${documentedPath} and documented there`, async () => {
        await assertAccepted(path, parameter, row)
        const documentedName = row.names ? `${row.prefix ?? field}.<${row.names}>: ` : `"name":"${field}"`
        assert.ok(parameterTexts(documentedPath).includes(documentedName), documentedName)
      })
    }
  }
})

const LISTS: [path: string, filters: ListFilters][] = [
  ['/api/evaluations', EVALUATION_FILTERS],
  ['/api/variants', VARIANT_FILTERS],
]

describe('list filters', () => {
  for (const [path, filters] of LISTS) {
    for (const [name, field] of Object.entries(filters)) {
      test(`${name} is accepted by ${path} and documented there`, async () => {
        await assertAccepted(path, name, field)
        assert.ok(parameterTexts(path).includes(`"name":"${name}"`))
      })
    }
  }
})
