// Tests that the generated files of the Python client are up to date.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DOCUMENT, PACKAGE, PYTHON_TYPES, PYTHON_VERSION } from '../../openapi/generate.ts'
import { generatePythonTypes, generatePythonVersion } from '../../python/generate.ts'

const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'))

test('types.py of the Python client is up to date; run npm run openapi if it is not', () => {
  assert.equal(readFileSync(PYTHON_TYPES, 'utf8'), generatePythonTypes(document))
})

test('the version of the Python client is that of the service; run npm run openapi if it is not', () => {
  assert.equal(readFileSync(PYTHON_VERSION, 'utf8'), generatePythonVersion(PACKAGE.version))
})

test('the generator rejects a schema that it does not support', () => {
  const schemas = { Any: { type: 'object', properties: { any: { type: 'object', properties: {} } } } }
  const unknown = { paths: {}, components: { schemas, parameters: {} } }
  assert.throws(() => generatePythonTypes(unknown), /does not support the type object here/)
})
