// Uses keys in every way, with the most detailed log, then searches for their secrets: in the data folder, the database,
// the log, the output of commands and a backup.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from '../postgres/cluster.ts'
import { runAssayCommand as runAssay } from '../support/command-runner/run.ts'
import { createStoreLocation, createTempFolder, ENGINE, rawRequest, spawnServer } from '../support/harness.ts'
import { sendRequest } from '../support/http.ts'
import { reportMeasurements } from '../support/measurements.ts'

/** Everything that is searched, by name. */
const places = new Map<string, Buffer>()

function addFolder(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
    if (name.isFile())
      places.set(join(name.parentPath, name.name), readFileSync(join(name.parentPath, name.name)))
}

async function addTables(url: string): Promise<void> {
  const tables = await query(
    url,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
  )
  for (const { name } of tables) {
    const rows = await query(url, `SELECT t::text AS row FROM ${name} AS t`)
    places.set(`table ${name}`, Buffer.from(rows.map(({ row }) => row).join('\n')))
  }
}

/** The forms in which a secret could be stored or logged. */
function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret)
  const offsets = [0, 1, 2]
  return [
    bytes,
    Buffer.from(bytes.toString('hex')),
    Buffer.from(encodeURIComponent(secret)),
    Buffer.from([...secret].reverse().join('')),
    // Base64 depends on the position; the first and last characters depend on neighbors.
    ...offsets.map((offset) => {
      const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
      return Buffer.from(text.slice(4, -4))
    }),
  ]
}

test('no secret of a key is stored or logged anywhere', async (t) => {
  const { url, data, flags } = await createStoreLocation()
  const output: string[] = []
  async function run(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runAssay([...args, ...flags])
    assert.equal(code, 0, stderr)
    output.push(stderr)
    return stdout
  }
  const server = await spawnServer([...flags, '--log-level', 'trace'])
  const { baseUrl } = server
  const port = Number(new URL(baseUrl).port)
  const keys = [
    (await run('keys', 'create', '--scope', 'read', '--scope', 'write', '--name', 'all')).trim(),
    (await run('keys', 'create', '--project', 'other')).trim(),
  ]
  const [key = '', otherKey = ''] = keys
  const json = { authorization: key, 'content-type': 'application/json' }
  const post = (path: string, body: unknown) => sendRequest(baseUrl, path, json, 'POST', JSON.stringify(body))
  assert.equal((await post('/api/evaluations/e/evaluation_scenarios', [{ id: 's' }])).status, 201)
  assert.equal(
    (await post('/api/variants/v/revisions', { config: { config_name: 'c' }, modified_by: 'x' })).status,
    201,
  )
  const share = await post('/api/shares', { confined_to: { evaluation_id: 'e' } })
  assert.equal(share.status, 201, share.text)
  keys.push(/"key":"([^"]+)"/.exec(share.text)?.[1] ?? assert.fail(share.text))
  keys.push((await run('keys', 'rotate', otherKey.slice(6, 18), '--overlap', '1h')).trim())

  let requestCount = 0
  for (const secretKey of keys) {
    assert.match(secretKey, /^assay_\w{12}_\w{20,}$/)
    const mistyped = `${secretKey.slice(0, -1)}${secretKey.endsWith('x') ? 'y' : 'x'}`
    const requests: [method: string, path: string, headers: Record<string, string | string[]>][] = [
      ...['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'].flatMap((method) =>
        ['/api/evaluations', '/api/evaluations/none', '/api/key', '/api/changes', '/nowhere'].map(
          (path): [string, string, Record<string, string>] => [method, path, { authorization: secretKey }],
        ),
      ),
      ['GET', '/api/evaluations', { authorization: `Bearer ${secretKey}` }],
      ['GET', '/api/evaluations', { authorization: `bearer  ${secretKey}` }],
      [
        'GET',
        '/api/evaluations',
        { authorization: `Basic ${Buffer.from(`x:${secretKey}`).toString('base64')}` },
      ],
      ['GET', '/api/evaluations', { authorization: mistyped }],
      ['GET', '/api/evaluations', { authorization: [secretKey, secretKey] }],
      ['GET', `/api/evaluations?key=${secretKey}`, {}],
      ['GET', `/api/evaluations?cursor=${secretKey}`, { authorization: secretKey }],
      ['GET', `/api/evaluations/${secretKey}/evaluation_scenarios`, { authorization: secretKey }],
      ['GET', `/${secretKey}`, {}],
      ['GET', `/docs?key=${secretKey}`, {}],
      [
        'GET',
        '/',
        { cookie: `key=${secretKey}`, 'x-api-key': secretKey, referer: `http://x/#key=${secretKey}` },
      ],
      ['GET', '/metrics', { authorization: `Bearer ${secretKey}` }],
      [
        'GET',
        '/api/evaluations',
        { authorization: secretKey, 'user-agent': secretKey, 'x-request-id': secretKey },
      ],
      ['POST', '/api/evaluations', { authorization: secretKey, 'content-type': secretKey }],
    ]
    for (const [method, path, headers] of requests) {
      await sendRequest(baseUrl, path, headers, method).catch(() => undefined)
      requestCount += 1
    }
    for (const line of [
      `GET /${secretKey} b HTTP/1.1\r\nHost: x`,
      `GET / HTTP/9.9\r\nHost: x\r\nAuthorization: ${secretKey}`,
    ]) {
      await rawRequest(port, `${line}\r\nAuthorization: ${secretKey}\r\n\r\n`)
      requestCount += 1
    }
    // An aborted upload.
    await rawRequest(
      port,
      `POST /api/evaluations HTTP/1.1\r\nHost: x\r\nAuthorization: ${secretKey}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{x`,
    )
  }
  const importFile = join(createTempFolder(), 'scenarios.ndjson')
  writeFileSync(importFile, '{"id":"s-1"}\n')
  output.push(await run('import', importFile, '--evaluation', 'imported'))
  for (const args of [['keys', 'list'], ['keys', 'list', '--json'], ['changes'], ['check']])
    output.push(await run(...args))
  output.push((await runAssay(['keys', 'revoke', otherKey, ...flags])).stderr)
  const backup = join(createTempFolder(), 'backup.db')
  if (ENGINE === 'sqlite') await run('backup', backup)
  addFolder(data)
  server.child.kill('SIGTERM')
  await once(server.child, 'close')

  addFolder(data)
  if (ENGINE === 'sqlite') places.set(backup, readFileSync(backup))
  else await addTables(url)
  places.set('log', Buffer.from(server.stderr()))
  places.set('output of commands', Buffer.from(output.join('\n')))
  const leaks = keys.flatMap((secretKey) => {
    const secret = secretKey.slice('assay_'.length + 13)
    const forms = formsOf(secret)
    return [...places].filter(([, bytes]) => forms.some((form) => bytes.includes(form))).map(([name]) => name)
  })
  const searchedBytes = [...places.values()].reduce((sum, bytes) => sum + bytes.length, 0)
  reportMeasurements(t, { cases: requestCount, leaked: leaks.length, searched_mb: searchedBytes / 1e6 })
  assert.ok(server.stderr().split('\n').length > requestCount, 'the log is incomplete')
  assert.deepEqual(leaks, [])
  // The search finds what is there: the public part of a key is stored and logged.
  for (const name of places.keys())
    if (name === 'log' || name.includes('api_key'))
      assert.ok(places.get(name)?.includes(key.slice(6, 18)), name)
})
