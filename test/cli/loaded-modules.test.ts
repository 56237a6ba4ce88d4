// Tests that a service loads what rare requests need only with the first of them. At the start, these modules would take about
// a third of its memory and of its start time.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openStoreAt } from '../../bench/store.ts'
import { fillCorpus } from '../support/corpus.ts'
import { createTempFolder, createTestKey, spawnServer } from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'
import { fullOnly } from '../support/options.ts'
import { EVALUATIONS, FULL_REVISIONS, FULL_SCENARIOS, JSON_TYPE } from '../support/write-requests.ts'

const RECORDER = fileURLToPath(new URL('../support/record-modules.ts', import.meta.url))

/** Modules that neither the start nor a read needs. */
const NEVER_LOADED = [
  /\/node_modules\/(ajv|fast-json-stringify-compiler|pg)\//,
  /\/src\/cli\/service\/sample\.ts$/,
  /^NativeModule internal\/deps\/undici\//,
  // The TypeScript compiler of Node.
  /^NativeModule internal\/deps\/amaro\//,
]

/** Modules that are loaded with the first request of a kind. */
const LOADED_ON_REQUEST: [module: RegExp, send: (request: Send) => Promise<unknown>][] = [
  [/^worker thread$/, (send) => send('DELETE', `${EVALUATIONS}/full`)],
  [/\/node_modules\/typebox\//, (send) => send('POST', EVALUATIONS, '{"id":"new"}')],
  [/\/src\/import\/formats\.ts$/, (send) => send('POST', '/api/imports?name=a.csv', 'input,output\n1,2\n')],
  [/\/node_modules\/hyparquet\//, (send) => send('POST', '/api/imports', 'input,output\n1,2\n')],
  [/\/node_modules\/diff\//, (send) => send('GET', `${FULL_REVISIONS}/1/diff/2`)],
  [/\/src\/http\/openapi\/docs-page\.ts$/, (send) => send('GET', '/docs')],
]

type Send = (method: string, path: string, body?: string) => Promise<unknown>

test('a service loads the modules of rare requests with the first of them', {
  skip: fullOnly('checks a cost at the start, and no result'),
}, async () => {
  const data = createTempFolder()
  const store = await openStoreAt(`sqlite:${join(data, 'assay.db')}`)
  await fillCorpus(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()

  async function recordModules(folder: string, send: (request: Send) => Promise<unknown>): Promise<string[]> {
    const file = join(data, 'modules.json')
    // Without NODE_COMPILE_CACHE, a service in a checkout uses a cache in the temporary folder.
    const env = {
      NODE_OPTIONS: `--import=${RECORDER}`,
      LOADED_MODULES: file,
      NODE_COMPILE_CACHE: '',
      TMPDIR: data,
    }
    const { baseUrl, child } = await spawnServer(['--data', folder], env)
    await send(async (method, path, body) => {
      const headers = { authorization: key, 'content-type': JSON_TYPE }
      const { status } = await sendRequest(baseUrl, path, headers, method, body)
      assert.ok(status < 300, `${method} ${path}: ${status}`)
    })
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
    return JSON.parse(readFileSync(file, 'utf8'))
  }

  // The first start also fills the compile cache. It deletes rows, which a later start of the same store would continue.
  const copy = createTempFolder()
  cpSync(data, copy, { recursive: true })
  const allModules = await recordModules(copy, async (send) => {
    for (const [, sendRequest] of LOADED_ON_REQUEST) await sendRequest(send)
  })
  for (const [pattern] of LOADED_ON_REQUEST)
    assert.ok(
      allModules.some((name) => pattern.test(name)),
      `${pattern}`,
    )

  const modulesOfReads = await recordModules(data, async (send) => {
    for (const path of [FULL_SCENARIOS, FULL_REVISIONS, '/', '/metrics', '/readyz']) await send('GET', path)
  })
  assert.ok(modulesOfReads.some((name) => name.endsWith('/src/http/routes/scenarios.ts')))
  for (const pattern of [...NEVER_LOADED, ...LOADED_ON_REQUEST.map(([module]) => module)])
    assert.deepEqual(
      modulesOfReads.filter((name) => pattern.test(name)),
      [],
    )
})
