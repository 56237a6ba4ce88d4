// Tests of assay serve: the sample data, the printed lines, and a log that cannot be written.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { MAIN, type ServiceProcess } from '../../bench/service.ts'
import { openStoreAt } from '../../bench/store.ts'
import { createTempFolder, createTestKey, runAssay, spawnServer } from '../support/harness.ts'
import { schemaErrors, sendRequest } from '../support/http.ts'
import { fullOnly, testOptions } from '../support/options.ts'
import { waitUntil } from '../support/worker-service.ts'

const isFull = testOptions.profile === 'full'
const SAMPLE_COUNT = readdirSync(join(import.meta.dirname, '../../sample/evaluations')).length

async function stop({ child }: ServiceProcess): Promise<void> {
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
}

/** The URL and the key of a printed curl line. */
function parseCurlLine(line = ''): { url: URL; key: string } {
  const [, key = '', url = ''] = /^curl -H 'Authorization: Bearer (\S+)' '(\S+)'$/.exec(line) ?? []
  return { url: new URL(url), key }
}

test('each start with --sample prints a new key, a link to the page and two working requests', async (t) => {
  const data = join(createTempFolder(), 'data')
  const oldKeys: string[] = []
  for (const start of ['first', 'second']) {
    const server = await spawnServer(['--sample', '--data', data])
    assert.match(server.lines[0] ?? '', /^Listening on http:\/\/127\.0\.0\.1:\d+$/)
    assert.match(server.lines[1] ?? '', /^Key: assay_\w{12}_\w{36}$/)
    assert.equal(server.lines[2], `Open: ${server.baseUrl}/#${server.lines[1]?.replace('Key: ', 'key=')}`)
    assert.equal(server.lines.length, 5)
    for (const [line, schema] of [
      [server.lines[3], 'EvaluationScenario'],
      [server.lines[4], 'VariantRevision'],
    ] as const) {
      const { url, key } = parseCurlLine(line)
      const response = await sendRequest(url.origin, url.pathname, { authorization: key })
      assert.equal(response.status, 200, `${start}: ${line}`)
      const elements = JSON.parse(response.text)
      assert.ok(elements.length >= 4)
      for (const element of elements) assert.deepEqual(schemaErrors(schema, element), [])
    }
    const { key } = parseCurlLine(server.lines[3])
    for (const oldKey of oldKeys) {
      assert.equal(
        (await sendRequest(server.baseUrl, '/api/evaluations', { authorization: oldKey })).status,
        401,
        'the key of the previous start is revoked',
      )
    }
    oldKeys.push(key)
    const list = JSON.parse(
      (await sendRequest(server.baseUrl, '/api/evaluations', { authorization: key })).text,
    )
    assert.equal(list.length, SAMPLE_COUNT, 'the sample is loaded only once')
    const path = '/api/evaluations/support-answer-r5'
    const headers = { authorization: key, 'content-type': 'application/json' }
    const renameResponse = await sendRequest(server.baseUrl, path, headers, 'PATCH', `{"name":"${start}"}`)
    assert.equal(renameResponse.status, 200, 'the key has write access')
    if (start === 'second') {
      await t.test('the printed curl commands work in a shell', (t) => runCurlLines(server, t))
      await t.test('a start on a port in use does not revoke the key of the running service', () =>
        startOnSamePort(server, data),
      )
    }
    await stop(server)
  }
})

async function runCurlLines(server: ServiceProcess, t: TestContext): Promise<void> {
  const run = promisify(execFile)
  for (const line of server.lines.slice(3)) {
    try {
      const { stdout } = await run('sh', ['-c', line], { maxBuffer: 10_000_000 })
      assert.ok(Array.isArray(JSON.parse(stdout)))
    } catch (error) {
      if ((error as { code: number }).code !== 127) throw error
      t.skip('curl is not installed')
    }
  }
}

async function startOnSamePort(server: ServiceProcess, data: string): Promise<void> {
  const { url, key } = parseCurlLine(server.lines[3])
  for (const workers of isFull ? ['1', '2'] : ['1']) {
    const flags = ['--sample', '--data', data, '--port', url.port, '--workers', workers]
    const { code, stdout, stderr } = await runAssay(['serve', ...flags])
    assert.deepEqual([code, stdout], [1, ''], stderr)
    assert.match(stderr, /EADDRINUSE/)
    const { status } = await sendRequest(url.origin, url.pathname, { authorization: key })
    assert.equal(status, 200, `the key still works after a start with ${workers} workers`)
  }
}

test('does not load the sample into a store that is not empty', {
  skip: fullOnly('starts a service; service/sample.test.ts tests the same function'),
}, async () => {
  const data = join(createTempFolder(), 'data')
  const store = await openStoreAt(`sqlite:${join(data, 'assay.db')}`)
  await store.writer.transaction((transaction) =>
    transaction.run(`INSERT INTO project (key, name, created_at) VALUES (7, 'mine', 'now')`),
  )
  await store.writer.transaction((transaction) =>
    transaction.run(
      `INSERT INTO variant (project, id, created_at, updated_at, version) VALUES (7, 'v', '2026', '2026', 'x')`,
    ),
  )
  const ownKey = await createTestKey(store, { project: 'mine' })
  await store.close()
  const server = await spawnServer(['--sample', '--data', data])
  const { key } = parseCurlLine(server.lines[3])
  assert.equal((await sendRequest(server.baseUrl, '/api/evaluations', { authorization: key })).text, '[]')
  assert.equal(
    (await sendRequest(server.baseUrl, '/api/variants', { authorization: ownKey.key })).status,
    200,
  )
  await stop(server)
})

test('keeps running without a log, prints one line and creates no key without --sample', {
  skip: !existsSync('/dev/full') && '/dev/full does not exist',
}, async (t) => {
  const data = join(createTempFolder(), 'data')
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', full],
  })
  t.after(() => child.kill('SIGKILL'))
  closeSync(full)
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  await waitUntil(() => output.endsWith('\n'))
  const baseUrl = output.trim().replace('Listening on ', '')
  for (let attempt = 0; attempt < 5; attempt += 1)
    assert.equal((await sendRequest(baseUrl, '/livez')).status, 200)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'close'), [0, null])
  assert.equal(output, `Listening on ${baseUrl}\n`)
  const store = await openStoreAt(`sqlite:${join(data, 'assay.db')}`)
  assert.deepEqual(await store.reader.all('SELECT * FROM api_key'), [])
  await store.close()
})

test('returns 503 while it waits for the store, and prints the address when requests are served', async (t) => {
  for (const workers of isFull ? ['1', '2'] : ['1']) {
    const data = join(createTempFolder(), 'data')
    await (await openStoreAt(`sqlite:${join(data, 'assay.db')}`)).close()
    const database = new DatabaseSync(join(data, 'assay.db'))
    t.after(() => database.isOpen && database.close())
    database.exec('BEGIN IMMEDIATE')
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    // The sample is written before requests are served, so the start waits for the write lock.
    let isReady = false
    const publicUrl = `${url}/assay`
    const flags = ['--data', data, '--port', port, '--workers', workers, '--public-url', publicUrl]
    const starting = spawnServer(['--sample', ...flags])
    void starting.finally(() => {
      isReady = true
    })
    await waitUntil(() =>
      sendRequest(url, '/assay/livez').then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
    for (const path of ['/readyz', '/api/evaluations', '/', '/assay/', '/assay/readyz']) {
      const { status, headers, text } = await sendRequest(url, path)
      assert.equal(status, 503, path)
      assert.ok(headers['retry-after'])
      assert.deepEqual(schemaErrors('Problem', JSON.parse(text)), [])
      assert.equal(JSON.parse(text).type, '/assay/docs/errors#unavailable')
    }
    assert.ok(!isReady, 'the address is not printed yet')
    database.exec('ROLLBACK')
    const server = await starting
    assert.equal(server.baseUrl, url)
    assert.ok(server.lines.some((line) => line.startsWith(`Open: ${publicUrl}/#key=`)))
    const { url: curlUrl, key } = parseCurlLine(server.lines[3])
    for (let count = 0; count < 4; count += 1)
      assert.equal((await sendRequest(url, curlUrl.pathname, { authorization: key })).status, 200)
    assert.equal((await sendRequest(url, '/readyz')).status, 200)
    await stop(server)
  }
})

async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return String(port)
}
