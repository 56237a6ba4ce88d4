// Tests of assay serve: the sample data, the printed lines, and a log that cannot be written.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { MAIN, type ServiceProcess } from '../../bench/service.ts'
import { openStoreAt } from '../../bench/store.ts'
import { createTempFolder, createTestKey, spawnServer } from '../support/harness.ts'
import { schemaErrors, sendRequest } from '../support/http.ts'

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
    assert.equal(list.length, 6, 'the sample is loaded only once')
    const path = '/api/evaluations/support-answer-r5'
    const headers = { authorization: key, 'content-type': 'application/json' }
    const renameResponse = await sendRequest(server.baseUrl, path, headers, 'PATCH', `{"name":"${start}"}`)
    assert.equal(renameResponse.status, 200, 'the key has write access')
    await stop(server)
  }
  await t.test('the printed curl commands work in a shell', async (t) => {
    const server = await spawnServer(['--sample', '--data', data])
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
    await stop(server)
  })
})

test('does not load the sample into a store that is not empty', async () => {
  const data = join(createTempFolder(), 'data')
  const store = await openStoreAt(`sqlite:${join(data, 'assay.db')}`)
  await store.writer.transaction((transaction) =>
    transaction.run(`INSERT INTO project (key, name, created_at) VALUES (7, 'mine', 'now')`),
  )
  await store.writer.transaction((transaction) =>
    transaction.run(`INSERT INTO variant (project, id, created_at, version) VALUES (7, 'v', '2026', 'x')`),
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

test('keeps running and exits normally when the log cannot be written', {
  skip: !existsSync('/dev/full') && '/dev/full does not exist',
}, async (t) => {
  const data = join(createTempFolder(), 'data')
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', full],
  })
  t.after(() => child.kill('SIGKILL'))
  closeSync(full)
  const [line] = await once(child.stdout ?? child, 'data')
  const baseUrl = String(line).trim().replace('Listening on ', '')
  for (let attempt = 0; attempt < 5; attempt += 1)
    assert.equal((await sendRequest(baseUrl, '/livez')).status, 200)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('without --sample, prints one line and creates no key', async () => {
  const data = join(createTempFolder(), 'data')
  const server = await spawnServer(['--data', data])
  await stop(server)
  assert.equal(server.lines.length, 1)
  const store = await openStoreAt(`sqlite:${join(data, 'assay.db')}`)
  assert.deepEqual(await store.reader.all('SELECT * FROM api_key'), [])
  await store.close()
})
