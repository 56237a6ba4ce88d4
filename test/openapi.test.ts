// Checks that openapi.json is up to date, passes a linter and describes every operation completely.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { ERRORS } from '../src/errors.ts'
import { DOCUMENT, generateOpenApi } from './openapi.ts'
import { schemaErrors } from './support/http.ts'

const text = readFileSync(DOCUMENT, 'utf8')
const document = JSON.parse(text)

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: object[]
  parameters?: { name: string; in: string; description: string; schema: object }[]
  responses: Record<
    string,
    { description: string; headers: object; content?: Record<string, { schema: object; example?: unknown }> }
  >
}

const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    ...operation,
  })),
)

test('openapi.json matches the routes (update it with npm run openapi)', async () => {
  assert.equal(text, await generateOpenApi())
})

test('openapi.json passes the linter', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    [],
  )
})

test('openapi.json contains exactly the operations of the API', () => {
  assert.deepEqual(operations.map(({ name }) => name).sort(), [
    'DELETE /api/evaluations/{evaluation_id}',
    'DELETE /api/shares/{public_id}',
    'DELETE /api/variants/{variant_id}',
    'GET /api/comparisons',
    'GET /api/comparisons/rows',
    'GET /api/evaluations',
    'GET /api/evaluations/{evaluation_id}',
    'GET /api/evaluations/{evaluation_id}/evaluation_scenarios',
    'GET /api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}',
    'GET /api/evaluations/{evaluation_id}/rows',
    'GET /api/evaluations/{evaluation_id}/summary',
    'GET /api/key',
    'GET /api/openapi.json',
    'GET /api/shares',
    'GET /api/variants',
    'GET /api/variants/{variant_id}',
    'GET /api/variants/{variant_id}/revisions',
    'GET /api/variants/{variant_id}/revisions/{from}/diff/{to}',
    'GET /api/variants/{variant_id}/revisions/{revision}',
    'GET /livez',
    'GET /metrics',
    'GET /readyz',
    'PATCH /api/evaluations/{evaluation_id}',
    'PATCH /api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}',
    'POST /api/evaluations',
    'POST /api/evaluations/{evaluation_id}/evaluation_scenarios',
    'POST /api/imports',
    'POST /api/shares',
    'POST /api/variants',
    'POST /api/variants/{variant_id}/revisions',
  ])
})

describe('the description of every operation is complete', () => {
  for (const { name, path, summary, tags, security, parameters = [], responses } of operations) {
    test(name, () => {
      assert.ok(summary && tags.length === 1)
      assert.equal(
        security.length > 0,
        /^\/api\/(comparisons|evaluations|variants|imports|key|shares)|^\/metrics/.test(path),
      )
      for (const parameter of parameters)
        assert.ok(parameter.description, `${parameter.name} has no description`)
      for (const [status, response] of Object.entries(responses)) {
        assert.ok(response.description && response.headers, `${status} has no description or headers`)
        if (status === '304' || status === '204') continue
        for (const [type, { schema, example }] of Object.entries(response.content ?? {})) {
          assert.ok(schema, `${status} ${type} has no schema`)
          const needsNoExample = path === '/api/openapi.json' || path === '/metrics'
          assert.ok(example !== undefined || needsNoExample, `${status} ${type} has no example`)
        }
      }
    })
  }
})

test('the status of every error appears in at least one operation', () => {
  const described = new Set(operations.flatMap(({ responses }) => Object.keys(responses).map(Number)))
  for (const { status } of Object.values(ERRORS)) assert.ok(described.has(status), String(status))
})

test('every example matches its schema', () => {
  for (const { responses } of operations) {
    for (const { content = {} } of Object.values(responses)) {
      for (const { schema, example } of Object.values(content)) {
        const ref = JSON.stringify(schema).match(/#\/components\/schemas\/(\w+)/)?.[1]
        if (ref)
          assert.deepEqual(
            [example].flat().flatMap((value) => schemaErrors(ref, value)),
            [],
          )
      }
    }
  }
})
