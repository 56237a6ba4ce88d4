// The generated types: fresh, with every code of the errors, and never a guess.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { generateTypes } from '../../client/generate.ts'
import { ERRORS } from '../../src/errors.ts'
import { CLIENT_TYPES, DOCUMENT } from '../openapi.ts'

const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
const types = readFileSync(CLIENT_TYPES, 'utf8')

test('they are what the generator writes now; npm run openapi writes them', () => {
  assert.equal(types, generateTypes(document))
})

test('the codes are those of the table of errors', () => {
  const [, codes = ''] = types.split('export type ProblemCode =')
  assert.deepEqual(
    [...codes.matchAll(/'(.+)'/g)].map(([, code]) => code),
    Object.keys(ERRORS).sort(),
  )
})

test('a schema that the generator does not know is refused', () => {
  const parameter = { name: 'any', in: 'query', schema: { patternProperties: { '^x': {} } } }
  const list = { operationId: 'list', parameters: [parameter], responses: {} }
  const unknown = { paths: { '/': { get: list } }, components: { schemas: {} } }
  assert.throws(() => generateTypes(unknown), /does not know families such as \^x/)
})

test('the client has a method for every operation of the API', () => {
  const operations = Object.values<Record<string, { operationId: string; tags: string[] }>>(document.paths)
    .flatMap((item) => Object.values(item))
    .filter(({ tags }) => !tags.includes('service'))
    .map(({ operationId }) => operationId)
  const methods = Object.getOwnPropertyNames(Assay.prototype)
  // Named for what is sent: it takes any iterable, where the operation takes a body.
  const known = [...methods, 'appendEvaluationScenarios']
  assert.deepEqual(
    operations.filter((name) => !known.includes(name)),
    [],
  )
})
