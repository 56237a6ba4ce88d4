// The service as a server: requests that no route sees, limits, health, logs, cross-origin, and its end.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addLargeEvaluation, addReadKey } from '../../bench/data.ts'
import { openAt } from '../../bench/store.ts'
import { freshPlace, freshStore, mint, type Place, rawRequest, serveStore, spawnServer } from '../harness.ts'
import { ask, schemaErrors } from '../wire.ts'

const store = await freshStore()
const { key } = await mint(store)
const { base, port } = await serveStore(store)

describe('a request that no route sees is answered as a problem', () => {
  const long = 'x'.repeat(100_000)
  const cases: [name: string, bytes: string, status: number, code: string][] = [
    ['garbage', 'GARBAGE\r\n\r\n', 400, 'invalid-request'],
    ['another protocol', '\x16\x03\x01\x02\x00', 400, 'invalid-request'],
    ['HTTP/2 by prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid-request'],
    ['HTTP/1.1 without Host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid-request'],
    ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid-request'],
    [
      'a byte that must be encoded',
      'GET /é HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
      'invalid-request',
    ],
    ['a field without a colon', 'GET / HTTP/1.1\r\nHost x\r\n\r\n', 400, 'invalid-request'],
    ['a space before a colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n', 400, 'invalid-request'],
    ['a folded field', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n', 400, 'invalid-request'],
    ['a NUL in a field', 'GET / HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n', 400, 'invalid-request'],
    [
      'two lengths',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'invalid-request',
    ],
    [
      'a length and chunks',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'invalid-request',
    ],
    [
      'a length that is none',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      400,
      'invalid-request',
    ],
    ['a method that is none', 'get / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid-request'],
    ['a version that is none', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400, 'invalid-request'],
    ['CONNECT', 'CONNECT example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method-not-allowed'],
    [
      'an unknown Expect',
      'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      417,
      'expectation-failed',
    ],
    ['a target beyond every limit', `GET /${long} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, 'uri-too-long'],
    [
      'a field beyond every limit',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${long}\r\n\r\n`,
      431,
      'header-fields-too-large',
    ],
    [
      'many fields',
      `GET / HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(20_000)}\r\n`,
      431,
      'header-fields-too-large',
    ],
  ]
  for (const [name, bytes, status, code] of cases) {
    test(`${name}: ${status} ${code}, then the connection closes`, async () => {
      const answer = await rawRequest(port, Buffer.from(bytes, 'utf8'))
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(head, /content-type: application\/problem\+json/i)
      const problem = JSON.parse(body.replace(/<\w+>$/, ''))
      assert.deepEqual(schemaErrors('Problem', problem), [])
      assert.deepEqual([problem.status, problem.code], [status, code])
      assert.match(head, new RegExp(`x-request-id: ${problem.instance}`, 'i'))
    })
  }

  test('a head that does not arrive in time: 408', async () => {
    const impatient = await serveStore(store, { stall_timeout: 500 })
    const answer = await rawRequest(impatient.port, 'GET /livez HTTP/1.1\r\nHost: x\r\n')
    assert.match(answer, /^HTTP\/1\.1 408 [\s\S]*request-timeout/)
  })

  for (const behind of ['GARBAGE\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n']) {
    test(`${behind.split('\r')[0]} behind a request lets its answer finish, then the connection closes`, async () => {
      const head = `GET /api/evaluations HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`
      const answer = await rawRequest(port, head + behind)
      assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*\r\n0\r\n\r\n$/)
    })
  }
})

test('the body of a request that takes none is passed over', async () => {
  const body = `${'5\r\nhello\r\n'.repeat(1000)}0\r\n\r\n`
  const head = `HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: nonsense\r\nTransfer-Encoding: chunked\r\n`
  const get = await rawRequest(port, `GET /api/evaluations ${head}Authorization: ${key}\r\n\r\n${body}`)
  assert.match(get, /^HTTP\/1\.1 200 /)
  assert.match(await rawRequest(port, `POST /nowhere ${head}\r\n${body}`), /^HTTP\/1\.1 404 /)
  assert.match(await rawRequest(port, `POST /livez ${head}\r\n${body}`), /^HTTP\/1\.1 405 /)
})

test('the body that a client goes on sending behind its answer is not read for ever', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.resume()
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  const sending = setInterval(() => socket.write('5\r\nhello\r\n'), 20)
  const started = Date.now()
  // Not with once, which fails for the reset that may come before.
  await new Promise((resolve) => socket.on('close', resolve))
  clearInterval(sending)
  assert.ok(Date.now() - started < 30_000, 'far below the time for a whole request')
})

test('requests on one connection are answered one after the other, in order, and there may be only so many', async () => {
  const paths = [
    '/livez',
    '/nowhere',
    '/api/evaluations',
    '/api/variants/none/revisions',
    '/api/evaluations?limit=0',
  ]
  const statuses = ['200', '404', '200', '404', '400']
  const count = 50
  const many = Array.from({ length: count }, (_, index) => {
    const close = index === count - 1 ? 'Connection: close\r\n' : ''
    return `GET ${paths[index % 5]} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n${close}\r\n`
  }).join('')
  const answers = await rawRequest(port, many)
  const seen = [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)
  assert.deepEqual(
    seen,
    Array.from({ length: count }, (_, index) => statuses[index % 5]),
  )
  const strict = await serveStore(store, { max_pipelined: 10 })
  assert.match(await rawRequest(strict.port, many), /<ECONNRESET>$/)
})

test('many small fields are not too large', async () => {
  const fields = Array.from({ length: 1500 }, (_, index) => `a${index}: b\r\n`).join('')
  const answer = await rawRequest(
    port,
    `GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields}\r\n`,
  )
  assert.match(answer, /^HTTP\/1\.1 200 /)
})

test('HTTP of another major version is refused', async () => {
  for (const line of ['GET /livez HTTP/2.0', 'GET /livez HTTP/0.9']) {
    assert.match(
      await rawRequest(port, `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`),
      /^HTTP\/1\.1 400 /,
      line,
    )
  }
})

test('a path that is written with percent signs takes the same methods', async () => {
  assert.equal((await ask(base, '/api/%65valuations', { authorization: key })).status, 200)
  assert.equal((await ask(base, '/api/%65valuations', {}, 'PUT')).status, 405)
  assert.equal((await ask(base, '/api/%65valuations', {}, 'OPTIONS')).status, 204)
  assert.equal((await ask(base, '/api/evaluations//evaluation_scenarios', {}, 'PUT')).status, 405)
})

test('a client that asks for CONNECT and goes away harms nobody', async () => {
  for (const wait of [0, 20]) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(socket, wait === 0 ? 'connect' : 'readable')
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  assert.equal((await ask(base, '/livez')).status, 200)
})

test('an unknown Expect among other requests is refused in its turn', async () => {
  const asked = (more = '') => `GET /livez HTTP/1.1\r\nHost: x\r\n${more}\r\n`
  const answer = await rawRequest(port, asked() + asked('Expect: tea\r\n') + asked('Connection: close\r\n'))
  const seen = [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)
  assert.deepEqual(seen, ['200', '417', '200'])
})

test('a client that closes its half behind the request gets the whole answer', async () => {
  const filled = await openAt((await freshPlace()).url)
  const id = await addLargeEvaluation(filled, 2000)
  const reading = await addReadKey(filled)
  const service = await serveStore(filled)
  const path = `/api/evaluations/${id}/evaluation_scenarios?format=csv`
  const whole = (await ask(service.base, path, { authorization: reading })).text
  const socket = connect(service.port, '127.0.0.1')
  socket.end(`GET ${path} HTTP/1.0\r\nAuthorization: ${reading}\r\n\r\n`)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  const answer = Buffer.concat(chunks).toString()
  assert.ok(answer.slice(answer.indexOf('\r\n\r\n') + 4) === whole)
  await service.stop()
  await filled.close()
})

describe('the service itself', () => {
  test('livez and readyz need no key', async () => {
    assert.equal((await ask(base, '/livez')).text, 'ok\n')
    assert.equal((await ask(base, '/readyz')).text, 'ok\n')
    assert.equal((await ask(base, '/readyz', {}, 'HEAD')).status, 200)
  })

  test('readyz is 503 with Retry-After while the store does not answer, livez is not', async () => {
    const gone = await openAt((await freshPlace()).url)
    const service = await serveStore(gone)
    await gone.close()
    const answer = await ask(service.base, '/readyz')
    assert.equal(answer.status, 503)
    assert.equal(answer.headers['retry-after'], '5')
    assert.equal((await ask(service.base, '/livez')).status, 200)
  })

  test('metrics count requests by route, never by id', async () => {
    await ask(base, '/api/evaluations/secret-name/evaluation_scenarios', { authorization: key })
    const { text } = await ask(base, '/metrics')
    assert.match(
      text,
      /assay_http_request_seconds_count\{method="GET",route="\/api\/evaluations\/:evaluation_id\/evaluation_scenarios",status="404"\} 1/,
    )
    assert.match(text, /process_resident_memory_bytes \d/)
    assert.ok(!text.includes('secret-name'))
  })

  test('metrics ask for their token where one is set', async () => {
    const guarded = await serveStore(store, { metrics_token: 'open sesame' })
    const refused = await ask(guarded.base, '/metrics')
    assert.equal(refused.status, 401)
    assert.equal(refused.headers['www-authenticate'], 'Bearer realm="assay"')
    assert.equal((await ask(guarded.base, '/metrics', { authorization: 'Bearer open' })).status, 401)
    assert.equal((await ask(guarded.base, '/metrics', { authorization: 'Bearer open sesame' })).status, 200)
  })

  test('the reference needs no key and nothing from elsewhere', async () => {
    const document = JSON.parse((await ask(base, '/api/openapi.json')).text)
    assert.equal(document.openapi, '3.1.0')
    for (const path of ['/docs', '/docs/errors', '/docs/']) {
      const { status, text, headers } = await ask(base, path)
      assert.equal(status, 200)
      assert.match(String(headers['content-security-policy']), /default-src 'none'/)
      assert.doesNotMatch(text, /(?:src|href)="(?!\/|#)/, 'every link stays here')
      assert.deepEqual(text.match(/<script[^>]*>/g), ['<script src="/theme.js">'])
    }
  })

  test('/docs describes every operation, and /docs/errors has an anchor for every code', async () => {
    const page = (await ask(base, '/docs')).text
    const document = JSON.parse((await ask(base, '/api/openapi.json')).text)
    for (const [path, item] of Object.entries<Record<string, { operationId: string }>>(document.paths)) {
      assert.ok(page.includes(`<code>${path}</code>`), path)
      for (const { operationId } of Object.values(item))
        assert.ok(page.includes(`id="${operationId}"`), operationId)
    }
    const errors = (await ask(base, '/docs/errors')).text
    assert.ok(errors.includes('id="evaluation-not-found"'))
    assert.match(errors, /<code>line<\/code> and <code>offset<\/code> say where/)
  })

  test('/docs has lines to copy with all that is required, and parameters by the names that are sent', async () => {
    const page = (await ask(base, '/docs')).text
    assert.ok(
      page.includes('/api/comparisons?evaluation={evaluation_1}&#38;evaluation={evaluation_2}&#34;</pre>'),
    )
    assert.match(page, /<code>evaluation<\/code><\/td><td>query, required<\/td>/)
    assert.match(page, /<code>by<\/code><\/td><td>query<\/td>/)
    assert.doesNotMatch(page, /<code>filters<\/code>/)
    for (const name of ['result.&#60;evaluator&#62;', 'input.&#60;input&#62;', 'delta.&#60;evaluator&#62;'])
      assert.ok(page.includes(`<tr><td><code>${name}</code></td><td>query</td>`), name)
    assert.doesNotMatch(page, /`/)
  })

  test('no cross-origin call is allowed unless its origin is named', async () => {
    const closed = await ask(base, '/api/evaluations', { authorization: key, origin: 'https://a.example' })
    assert.equal(closed.headers['access-control-allow-origin'], undefined)
    const open = await serveStore(store, { cors_origin: ['https://a.example', 'https://b.example'] })
    const allowed = await ask(open.base, '/api/evaluations', {
      authorization: key,
      origin: 'https://b.example',
    })
    assert.equal(allowed.headers['access-control-allow-origin'], 'https://b.example')
    assert.equal(allowed.headers.vary, 'Accept, Accept-Encoding, Authorization, Origin')
    assert.match(String(allowed.headers['access-control-expose-headers']), /ETag, Link/)
    const other = await ask(open.base, '/api/evaluations', {
      authorization: key,
      origin: 'https://c.example',
    })
    assert.equal(other.headers['access-control-allow-origin'], undefined)
    const preflight = await ask(open.base, '/api/evaluations', { origin: 'https://a.example' }, 'OPTIONS')
    assert.equal(preflight.status, 204)
    assert.match(String(preflight.headers['access-control-allow-headers']), /Authorization/)
  })

  test('connections beyond the limit are closed', async () => {
    const small = await serveStore(store, { max_connections: 2 })
    const held = [connect(small.port, '127.0.0.1'), connect(small.port, '127.0.0.1')]
    await Promise.all(held.map((socket) => once(socket, 'connect')))
    await assert.rejects(ask(small.base, '/livez'), /hang up|reset/i)
    for (const socket of held) socket.destroy()
    await Promise.all(held.map((socket) => once(socket, 'close')))
    for (let tries = 0; ; tries += 1) {
      const status = await ask(small.base, '/livez').then(
        ({ status }) => status,
        () => 0,
      )
      if (status === 200) break
      assert.ok(tries < 50, 'the places are free again')
      await delay(20)
    }
  })
})

test('the log has one line a request, with its id and without the secret of any key', async () => {
  const { flags } = await freshPlace()
  const server = await spawnServer([...flags, '--log-level', 'trace', '--sample'])
  const secret = server.lines[1]?.replace('Key: ', '') ?? ''
  const sent = { authorization: `Bearer ${secret}` }
  const ids: unknown[] = []
  for (const path of [
    '/api/evaluations',
    '/nowhere',
    `/api/evaluations?key=${secret}`,
    `/api/evaluations/${secret}/evaluation_scenarios`,
    '/api/%zz',
  ]) {
    ids.push((await ask(server.base, path, sent)).headers['x-request-id'])
  }
  await ask(server.base, '/livez', {}, 'PATCH')
  server.child.kill('SIGTERM')
  await once(server.child, 'close')
  const lines = server
    .stderr()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const requests = lines.filter(({ msg }) => msg === 'request')
  assert.equal(requests.length, 6)
  assert.deepEqual(
    requests.slice(0, 5).map(({ request_id }) => request_id),
    ids,
  )
  assert.deepEqual(
    requests.map(({ status }) => status),
    [200, 404, 400, 404, 400, 405],
  )
  assert.equal(requests[0].key, secret.slice(6, 18))
  assert.ok(!server.stderr().includes(secret.slice(19)), 'the secret is in the log')
})

const place = await freshPlace()
let large: Promise<Place & { id: string; reading: string }> | undefined

/** A store whose answers are under way for a while, the same for all who only read it. */
function largeStore() {
  large ??= (async () => {
    const filled = await openAt(place.url)
    const id = await addLargeEvaluation(filled, 8000)
    const reading = await addReadKey(filled)
    await filled.close()
    return { ...place, id, reading }
  })()
  return large
}

test('SIGTERM lets answers under way finish, closes the rest, and ends with 0 and no -wal', async () => {
  const { data, flags, id, reading } = await largeStore()
  const server = await spawnServer(flags)
  const { port } = new URL(server.base)
  const path = `/api/evaluations/${id}/evaluation_scenarios?format=ndjson`
  const whole = (await ask(server.base, path, { authorization: reading })).bytes

  const streams = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const asked = request(`${server.base}${path}`, { headers: { authorization: reading }, agent: false })
      asked.end()
      const [response] = await once(asked, 'response')
      return response
    }),
  )
  const idle = connect(Number(port), '127.0.0.1')
  const halfSent = connect(Number(port), '127.0.0.1')
  await Promise.all([once(idle, 'connect'), once(halfSent, 'connect')])
  halfSent.write('GET /livez HTTP/1.1\r\nHost')
  for (const socket of [idle, halfSent]) socket.on('error', () => undefined)
  idle.resume()
  halfSent.resume()

  server.child.kill('SIGTERM')
  const exited = once(server.child, 'exit')
  await assert.doesNotReject(once(idle, 'close'))
  await assert.rejects(ask(server.base, '/livez'), /ECONNREFUSED|ECONNRESET|hang up/)
  for (const stream of streams) {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    assert.ok(Buffer.concat(chunks).equals(whole), 'an answer under way was cut')
  }
  assert.deepEqual(await exited, [0, null])
  assert.ok(!existsSync(join(data, 'assay.db-wal')))
})

for (const way of ['the time is over', 'a second signal comes']) {
  test(`when ${way} while draining, an unfinished answer is reset, also for HTTP/1.0`, async () => {
    const { flags, id, reading } = await largeStore()
    const isTimed = way === 'the time is over'
    const server = await spawnServer([...flags, '--drain-timeout', isTimed ? '300ms' : '1h'])
    const socket = connect(Number(new URL(server.base).port), '127.0.0.1')
    const failed = once(socket, 'error')
    socket.write(
      `GET /api/evaluations/${id}/evaluation_scenarios HTTP/1.0\r\nAuthorization: ${reading}\r\n\r\n`,
    )
    await once(socket, 'readable')
    const exited = once(server.child, 'exit')
    server.child.kill('SIGTERM')
    while (!isTimed && !server.stderr().includes('draining'))
      await once(server.child.stderr ?? socket, 'data')
    if (!isTimed) server.child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
    socket.resume()
    const [error] = await failed
    assert.equal(error.code, 'ECONNRESET')
  })
}
