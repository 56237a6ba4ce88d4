// Tests that the generated types of the client are up to date and complete.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generateTypes } from '../../client/generate.ts'
import { CLIENT_TYPES, DOCUMENT } from '../../openapi/generate.ts'
import { ERRORS } from '../../src/errors.ts'
import { methodNames } from '../support/client-service.ts'

const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
const types = readFileSync(CLIENT_TYPES, 'utf8')

test('client/types.ts is up to date; run npm run openapi if it is not', () => {
  assert.equal(types, generateTypes(document))
})

test('ProblemCode contains every code of the error table', () => {
  const [, codes = ''] = types.split('export type ProblemCode =')
  assert.deepEqual(
    [...codes.matchAll(/'(.+)'/g)].map(([, code]) => code),
    Object.keys(ERRORS).sort(),
  )
})

test('the generator rejects a schema that it does not support', () => {
  const parameter = { name: 'any', in: 'query', schema: { propertyNames: { pattern: '^x' } } }
  const list = { operationId: 'list', parameters: [parameter] }
  const unknown = { paths: { '/': { get: list } }, components: { schemas: {}, parameters: {} } }
  assert.throws(() => generateTypes(unknown), /does not support the parameter name pattern \^x/)
})

test('the client has a method for every operation of the API', () => {
  const operations = Object.values<Record<string, { operationId: string; tags: string[] }>>(document.paths)
    .flatMap((item) => Object.values(item))
    .filter(({ tags }) => !tags.includes('service'))
    .map(({ operationId }) => operationId)
  const methods = methodNames()
  // The client calls this one appendScenarios, because it takes records and not a body.
  const knownMethods = [...methods, 'appendEvaluationScenarios']
  assert.deepEqual(
    operations.filter((name) => !knownMethods.includes(name)),
    [],
  )
})
