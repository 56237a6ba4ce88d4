// assay serve --sample: what a newcomer sees at the first start and at every one after it.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { MAIN, type ServiceProcess } from '../../bench/service.ts'
import { openAt } from '../../bench/store.ts'
import { freshFolder, mint, spawnServer } from '../harness.ts'
import { ask, schemaErrors } from '../wire.ts'

async function stop({ child }: ServiceProcess): Promise<void> {
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
}

/** The URL and the key of a printed curl line. */
function readLine(line = ''): { url: URL; key: string } {
  const [, key = '', url = ''] = /^curl -H 'Authorization: Bearer (\S+)' '(\S+)'$/.exec(line) ?? []
  return { url: new URL(url), key }
}

test('the first start and the second print a key, the page with it, and two reads that answer', async (t) => {
  const data = join(freshFolder(), 'data')
  const seen: string[] = []
  for (const start of ['first', 'second']) {
    const server = await spawnServer(['--sample', '--data', data])
    assert.match(server.lines[0] ?? '', /^Listening on http:\/\/127\.0\.0\.1:\d+$/)
    assert.match(server.lines[1] ?? '', /^Key: assay_\w{12}_\w{36}$/)
    assert.equal(server.lines[2], `Open: ${server.base}/#${server.lines[1]?.replace('Key: ', 'key=')}`)
    assert.equal(server.lines.length, 5)
    for (const [line, schema] of [
      [server.lines[3], 'EvaluationScenario'],
      [server.lines[4], 'VariantRevision'],
    ] as const) {
      const { url, key } = readLine(line)
      const answer = await ask(url.origin, url.pathname, { authorization: key })
      assert.equal(answer.status, 200, `${start}: ${line}`)
      const elements = JSON.parse(answer.text)
      assert.ok(elements.length >= 4)
      for (const element of elements) assert.deepEqual(schemaErrors(schema, element), [])
    }
    const { key } = readLine(server.lines[3])
    for (const old of seen) {
      assert.equal(
        (await ask(server.base, '/api/evaluations', { authorization: old })).status,
        401,
        'the key before',
      )
    }
    seen.push(key)
    const list = JSON.parse((await ask(server.base, '/api/evaluations', { authorization: key })).text)
    assert.equal(list.length, 6, 'the sample is loaded once')
    const path = '/api/evaluations/support-answer-r5'
    const sent = { authorization: key, 'content-type': 'application/json' }
    const renamed = await ask(server.base, path, sent, 'PATCH', `{"name":"${start}"}`)
    assert.equal(renamed.status, 200, 'the key writes as well')
    await stop(server)
  }
  await t.test('the lines work when pasted', async (t) => {
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

test('a store that holds anything is left as it is', async () => {
  const data = join(freshFolder(), 'data')
  const store = await openAt(`sqlite:${join(data, 'assay.db')}`)
  await store.writer.transaction((transaction) =>
    transaction.run(`INSERT INTO project (key, name, created_at) VALUES (7, 'mine', 'now')`),
  )
  await store.writer.transaction((transaction) =>
    transaction.run(`INSERT INTO variant (project, id, created_at, version) VALUES (7, 'v', '2026', 'x')`),
  )
  const own = await mint(store, { project: 'mine' })
  await store.close()
  const server = await spawnServer(['--sample', '--data', data])
  const { key } = readLine(server.lines[3])
  assert.equal((await ask(server.base, '/api/evaluations', { authorization: key })).text, '[]')
  assert.equal((await ask(server.base, '/api/variants', { authorization: own.key })).status, 200)
  await stop(server)
})

test('a log that cannot be written stops neither the service nor its end', {
  skip: !existsSync('/dev/full') && 'there is no /dev/full to write to',
}, async (t) => {
  const data = join(freshFolder(), 'data')
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', full],
  })
  t.after(() => child.kill('SIGKILL'))
  closeSync(full)
  const [line] = await once(child.stdout ?? child, 'data')
  const base = String(line).trim().replace('Listening on ', '')
  for (let time = 0; time < 5; time += 1) assert.equal((await ask(base, '/livez')).status, 200)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('without --sample one line is printed and nothing is made', async () => {
  const data = join(freshFolder(), 'data')
  const server = await spawnServer(['--data', data])
  await stop(server)
  assert.equal(server.lines.length, 1)
  const store = await openAt(`sqlite:${join(data, 'assay.db')}`)
  assert.deepEqual(await store.reader.all('SELECT * FROM api_key'), [])
  await store.close()
})
