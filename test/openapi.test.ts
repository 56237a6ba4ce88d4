// Checks that openapi.json is up to date, passes a linter and describes every operation completely.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { DOCUMENT, generateOpenApi } from '../openapi/generate.ts'
import { ERRORS } from '../src/errors.ts'
import { isId } from '../src/schema/ids.ts'
import { resolveReference, schemaErrors } from './support/http.ts'

const text = readFileSync(DOCUMENT, 'utf8')
const document = JSON.parse(text)

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: object[]
  parameters: (Parameter | { $ref: string })[]
  requestBody?: Body
  responses: Record<string, Response | { $ref: string }>
}

interface Parameter {
  name: string
  in: string
  description: string
  schema: object
}

interface Body {
  content?: Record<string, { schema: Schema; example?: unknown; examples?: { example: { $ref: string } } }>
  'x-representations'?: Record<string, { example: unknown }>
}

interface Response extends Body {
  description: string
  headers: object
}

interface Schema {
  $ref?: string
  items?: Schema
}

const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    ...operation,
    parameters: operation.parameters.map((parameter) => resolveReference<Parameter>(parameter)),
    responses: Object.entries(operation.responses).map(
      ([status, response]) => [status, resolveReference<Response>(response)] as const,
    ),
  })),
)

/** All bodies of requests and responses, with their examples. */
const bodies = operations.flatMap(({ name, requestBody, responses }) =>
  [...responses, ...(requestBody ? [['request', requestBody] as const] : [])].flatMap(([status, body]) =>
    Object.entries(body.content ?? {}).map(([type, { schema, example, examples }]) => {
      const value = examples ? resolveReference<{ value: unknown }>(examples.example).value : example
      return { name: `${name} ${status} ${type}`, schema, element: schema.items ?? schema, example: value }
    }),
  ),
)

/** Calls the function with every schema, including those of members. */
function visitSchemas(visit: (schema: Record<string, unknown>, path: string) => void) {
  const walk = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return
    const schema = value as Record<string, unknown>
    if ('type' in schema || 'anyOf' in schema || '$ref' in schema) visit(schema, path)
    for (const [name, member] of Object.entries(schema)) {
      if (name !== 'examples' && name !== 'example') walk(member, `${path}/${name}`)
    }
  }
  walk(document.components.schemas, 'schemas')
}

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

test('the objects of the contract have their names', () => {
  const names = [
    ...['EvaluationScenario', 'ScenarioInput', 'ScenarioOutput', 'Result', 'Error', 'CorrectAnswer'],
    ...['ScenarioResult', 'VariantRevision', 'RevisionConfig', 'Problem', 'Evaluation', 'Variant'],
  ]
  for (const name of names) assert.ok(name in document.components.schemas, name)
})

test('every object with members is a component', () => {
  visitSchemas((schema, path) => {
    if (schema.properties) assert.match(path, /^schemas\/\w+$/)
  })
})

test('no object has a member with its own name, because a Python client would confuse them', () => {
  for (const [name, { properties = {} }] of Object.entries<{ properties?: object }>(
    document.components.schemas,
  )) {
    const snakeCase = name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase()
    assert.ok(!(snakeCase in properties), name)
  }
})

test('requests allow no unknown members, and responses allow them', () => {
  const direct = (filter: (status: string) => boolean) =>
    bodies.filter(({ name }) => filter(name.split(' ')[2] ?? '')).map(({ element }) => element.$ref)
  const reachable = (refs: (string | undefined)[]) => {
    const found = new Set<string>()
    const follow = (ref: string) => {
      if (found.has(ref)) return
      found.add(ref)
      for (const [, next = ''] of JSON.stringify(resolveReference({ $ref: ref })).matchAll(
        /"\$ref":"([^"]+)"/g,
      ))
        follow(next)
    }
    for (const ref of refs) if (ref !== undefined) follow(ref)
    return [...found]
  }
  for (const [refs, isClosed] of [
    [reachable(direct((status) => status === 'request')), true],
    [reachable(direct((status) => status !== 'request')), false],
  ] as const) {
    assert.ok(refs.length > 10)
    for (const ref of refs) {
      const { additionalProperties } = resolveReference<{ additionalProperties?: boolean }>({ $ref: ref })
      assert.equal(additionalProperties, isClosed ? false : undefined, ref)
    }
  }
})

test('numbers and integers have a format, and only references to objects are nullable with anyOf', () => {
  visitSchemas((schema, path) => {
    const types = [schema.type ?? []].flat()
    if (types.includes('number')) assert.equal(schema.format, 'double', path)
    if (types.includes('integer')) assert.match(String(schema.format), /^int(32|64)$/, path)
    if (schema.anyOf) {
      const [object, none, ...others] = schema.anyOf as object[]
      assert.ok(object && '$ref' in object, path)
      assert.deepEqual([none, others], [{ type: 'null' }, []], path)
    }
    // Generators turn it into sets without order, but the first evaluation of a comparison is the baseline.
    assert.ok(!('uniqueItems' in schema), path)
  })
  const evaluation = document.components.parameters.EvaluationParameter
  assert.equal(evaluation.name, 'evaluation')
  assert.ok(!('uniqueItems' in evaluation.schema))
})

test('a response has only one media type, so that generated clients return its type', () => {
  for (const { name, responses, requestBody } of operations)
    for (const [status, { content = {} }] of [...responses, ['request', requestBody ?? {}] as const])
      assert.ok(Object.keys(content).length <= 1, `${name} ${status}`)
})

test('openapi.json contains exactly the operations of the API', () => {
  assert.deepEqual(operations.map(({ name }) => name).sort(), [
    'DELETE /api/evaluations/{evaluation_id}',
    'DELETE /api/evaluations/{evaluation_id}/evaluation_scenarios',
    'DELETE /api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}',
    'DELETE /api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}/results/{evaluator}',
    'DELETE /api/evaluations/{evaluation_id}/results',
    'DELETE /api/reviews/{review_id}',
    'DELETE /api/reviews/{review_id}/answers/{scenario_id}',
    'DELETE /api/shares/{public_id}',
    'DELETE /api/variants/{variant_id}',
    'DELETE /api/variants/{variant_id}/revisions/{revision}',
    'GET /api',
    'GET /api/changes',
    'GET /api/comparisons',
    'GET /api/comparisons/labels',
    'GET /api/comparisons/rows',
    'GET /api/evaluations',
    'GET /api/evaluations/{evaluation_id}',
    'GET /api/evaluations/{evaluation_id}/agreement',
    'GET /api/evaluations/{evaluation_id}/breakdown',
    'GET /api/evaluations/{evaluation_id}/evaluation_scenarios',
    'GET /api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}',
    'GET /api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}/history',
    'GET /api/evaluations/{evaluation_id}/reviews',
    'GET /api/evaluations/{evaluation_id}/rows',
    'GET /api/evaluations/{evaluation_id}/summary',
    'GET /api/key',
    'GET /api/leaderboards',
    'GET /api/leaderboards/rows',
    'GET /api/openapi.json',
    'GET /api/reviews/{review_id}',
    'GET /api/reviews/{review_id}/form',
    'GET /api/reviews/{review_id}/next',
    'GET /api/reviews/{review_id}/rows',
    'GET /api/reviews/{review_id}/rows/{scenario_id}',
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
    'PATCH /api/reviews/{review_id}',
    'PATCH /api/variants/{variant_id}',
    'POST /api/comparisons/reviews',
    'POST /api/evaluations',
    'POST /api/evaluations/{evaluation_id}/evaluation_scenarios',
    'POST /api/evaluations/{evaluation_id}/results',
    'POST /api/evaluations/{evaluation_id}/reviews',
    'POST /api/imports',
    'POST /api/reviews/{review_id}/labels',
    'POST /api/shares',
    'POST /api/variants',
    'POST /api/variants/{variant_id}/revisions',
    'PUT /api/evaluations/{evaluation_id}/evaluation_scenarios/{scenario_id}',
    'PUT /api/reviews/{review_id}/answers/{scenario_id}',
  ])
})

describe('the description of every operation is complete', () => {
  for (const { name, path, operationId, summary, tags, security, parameters, responses } of operations) {
    test(name, () => {
      assert.match(operationId, /^[a-z]+[A-Z]\w+$/)
      assert.ok(summary && tags.length === 1)
      assert.equal(
        security.length > 0,
        /^\/api\/(changes|comparisons|evaluations|variants|imports|key|leaderboards|reviews|shares)|^\/metrics/.test(
          path,
        ),
      )
      for (const parameter of parameters)
        assert.ok(parameter.description, `${parameter.name} has no description`)
      for (const [status, { description, headers, ...body }] of responses) {
        assert.ok(description && headers, `${status} has no description or headers`)
        for (const [type, { example }] of Object.entries(body['x-representations'] ?? {}))
          assert.ok(example, `${status} ${type} has no example`)
      }
    })
  }
})

test('every body has a schema and an example', () => {
  for (const { name, schema, example } of bodies) {
    assert.ok(schema, `${name} has no schema`)
    const needsNoExample = /openapi\.json|\/metrics|\/imports request/.test(name)
    assert.ok(example !== undefined || needsNoExample, `${name} has no example`)
  }
})

test('the status of every error appears in at least one operation', () => {
  const described = new Set(
    operations.flatMap(({ responses }) => responses.map(([status]) => Number(status))),
  )
  for (const { status } of Object.values(ERRORS)) assert.ok(described.has(status), String(status))
})

test('every example matches its schema', () => {
  for (const { name, element, example } of bodies) {
    const schemaName = element.$ref?.split('/').at(-1)
    if (schemaName === undefined) continue
    for (const value of [example].flat()) assert.deepEqual(schemaErrors(schemaName, value), [], name)
  }
})

test('the pattern of ids accepts exactly the ids that the service accepts', () => {
  const { minLength, maxLength, pattern } = document.components.parameters.EvaluationIdParameter.schema
  const ids = [
    'a',
    '.',
    '..',
    '...',
    '.a',
    'a.',
    '..a',
    'a/b',
    'ä',
    '日本',
    '😀'.repeat(200),
    'x'.repeat(200),
  ]
  const invalidIds = ['', 'x'.repeat(201), 'a\n', '\u0000', '\u007f', 'a\u009f', '\n..', '..\n']
  for (const id of [...ids, ...invalidIds]) {
    const length = [...id].length
    const matches = length >= minLength && length <= maxLength && new RegExp(pattern, 'u').test(id)
    assert.equal(matches, isId(id), JSON.stringify(id))
  }
})
