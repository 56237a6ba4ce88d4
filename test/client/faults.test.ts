// What a client meets on a bad day: servers that are busy, connections that break, callers that give up.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { Assay, AssayConnectionError, AssayError, type EvaluationScenario } from '../../client/client.ts'
import { all, faulty, served } from './served.ts'

const PROBLEM = { 'content-type': 'application/problem+json' }
const JSON_TYPE = { 'content-type': 'application/json' }

function refuse(response: ServerResponse, status: number, code: string, fields = {}): void {
  response.writeHead(status, { ...PROBLEM, ...fields }).end(JSON.stringify({ status, code, detail: code }))
}

/** Refuses or breaks as often as told, then answers `{}`; notes when requests came, and with which token. */
async function recovering(
  fail: (response: ServerResponse, attempt: number) => void,
  failures: number,
  retries?: number,
) {
  const seen: { at: number; token: string | undefined; body: string }[] = []
  const { assay } = await faulty(
    async (request, response) => {
      const token = request.headers['idempotency-key'] as string | undefined
      seen.push({ at: performance.now(), token, body: '' })
      const attempt = seen.length
      const body = await text(request)
      Object.assign(seen[attempt - 1] ?? {}, { body })
      if (attempt <= failures) fail(response, attempt)
      else response.writeHead(200, JSON_TYPE).end('{"id":"x"}')
    },
    { retries },
  )
  return { assay, seen }
}

async function text(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

const busy =
  (status: number, code: string, retryAfter = '0') =>
  (response: ServerResponse) =>
    refuse(response, status, code, { 'retry-after': retryAfter })
const lose = (response: ServerResponse) => void response.destroy()

describe('what passes is waited for', () => {
  for (const [status, code] of [
    [429, 'too-many-requests'],
    [503, 'unavailable'],
  ] as const) {
    test(`${status}, also of writes, which carry the same token each time`, async () => {
      const read = await recovering(busy(status, code), 2)
      assert.equal((await read.assay.getEvaluation('x')).id, 'x')
      assert.deepEqual(
        read.seen.map(({ token }) => token),
        [undefined, undefined, undefined],
      )
      const write = await recovering(busy(status, code), 2)
      assert.equal((await write.assay.addEvaluation({ name: 'x' })).id, 'x')
      assert.equal(new Set(write.seen.map(({ token }) => token)).size, 1)
      assert.match(write.seen[0]?.token ?? '', /^[0-9a-f]{32}$/)
      assert.deepEqual(
        write.seen.map(({ body }) => body),
        Array(3).fill('{"name":"x"}'),
      )
    })
  }

  test('Retry-After is honoured', async () => {
    const { assay, seen } = await recovering(busy(503, 'unavailable', '1'), 1)
    await assay.getEvaluation('x')
    const [first, second] = seen
    assert.ok(first && second && second.at - first.at >= 990)
  })

  test('a lost connection, of reads and of writes that can be told from new ones', async () => {
    const read = await recovering(lose, 1)
    assert.equal((await read.assay.getEvaluation('x')).id, 'x')
    const write = await recovering(lose, 1)
    assert.equal((await write.assay.addVariant({})).id, 'x')
    assert.equal(write.seen[0]?.token, write.seen[1]?.token)
    assert.ok(write.seen[0]?.token)
  })

  test('an answer that is cut off in the middle', async () => {
    const { assay } = await recovering((response) => {
      response.writeHead(200, JSON_TYPE).write('{"id":')
      response.socket?.destroySoon()
    }, 1)
    assert.equal((await assay.getEvaluation('x')).id, 'x')
  })

  test('a write that is still under way from before the connection was lost', async () => {
    const { assay, seen } = await recovering(busy(409, 'conflict'), 1)
    assert.equal((await assay.addEvaluation({})).id, 'x')
    assert.equal(seen.length, 2)
  })
})

describe('what does not pass is thrown', () => {
  test('after as many retries as were asked for', async () => {
    const { assay, seen } = await recovering(busy(503, 'unavailable'), 9, 1)
    await assert.rejects(assay.getEvaluation('x'), { name: 'AssayError', code: 'unavailable', retryAfter: 0 })
    assert.equal(seen.length, 2)
  })

  test('a lost connection, with its reason', async () => {
    const { assay, seen } = await recovering(lose, 9, 0)
    const error = await assay.getEvaluation('x').catch((error) => error)
    assert.ok(error instanceof AssayConnectionError && error.cause instanceof Error)
    assert.equal(seen.length, 1)
  })

  test('a wait that is too long to sit out, and an error that waiting does not help', async () => {
    const long = await recovering(busy(429, 'too-many-requests', '60'), 9)
    await assert.rejects(long.assay.getEvaluation('x'), { status: 429, retryAfter: 60 })
    const conflict = await recovering((response) => refuse(response, 409, 'conflict'), 9)
    await assert.rejects(conflict.assay.addEvaluation({}), { code: 'conflict' })
    const internal = await recovering((response) => refuse(response, 500, 'internal-error'), 9)
    await assert.rejects(internal.assay.getEvaluation('x'), { code: 'internal-error' })
    assert.deepEqual([long.seen.length, conflict.seen.length, internal.seen.length], [1, 1, 1])
  })

  test('a stream that was given as a body is not sent twice, and has no token', async () => {
    const { assay, seen } = await recovering(busy(503, 'unavailable'), 9)
    await assert.rejects(assay.importFile(new Blob(['x']).stream()), { code: 'unavailable' })
    async function* records() {
      yield { id: 'x' }
    }
    await assert.rejects(assay.appendScenarios('x', records()), { code: 'unavailable' })
    assert.deepEqual(
      seen.map(({ token }) => token),
      [undefined, undefined],
    )
  })

  test('an answer of a proxy, and one that is no JSON', async () => {
    const proxy = await faulty((_request, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'))
    const error = await proxy.assay.getEvaluation('x').catch((error) => error)
    assert.ok(error instanceof AssayError)
    assert.deepEqual([error.status, error.code, error.title], [502, undefined, 'Status 502'])
    const page = await faulty((_request, response) => response.end('<h1>Sign in</h1>'))
    await assert.rejects(page.assay.getEvaluation('x'), { status: 200, detail: /not JSON.*base URL/ })
  })
})

describe('a stream that is not whole throws, after what came', () => {
  const scenario = (id: string) => `${JSON.stringify({ id })}\n`

  async function read(end: (response: ServerResponse) => void): Promise<[string[], unknown]> {
    const { assay } = await faulty((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      // A character of several bytes, cut in two.
      const bytes = Buffer.from(scenario('ü'))
      response.write(bytes.subarray(0, 8))
      setImmediate(() => response.write(bytes.subarray(8), () => end(response)))
    })
    const ids: string[] = []
    try {
      for await (const { id } of assay.scenarios('x')) ids.push(id)
      return [ids, undefined]
    } catch (error) {
      return [ids, error]
    }
  }

  test('by a reset', async () => {
    const [ids, error] = await read((response) => response.socket?.resetAndDestroy())
    assert.ok(error instanceof AssayConnectionError && error.cause !== undefined)
    assert.ok(ids.length <= 1)
  })

  test('by an end without its last chunk', async () => {
    const [ids, error] = await read((response) => response.socket?.end())
    assert.ok(error instanceof AssayConnectionError)
    assert.deepEqual(ids, ['ü'])
  })

  test('in the middle of a line, where HTTP sees nothing wrong', async () => {
    const [ids, error] = await read((response) => response.end('{"id":"second"}'))
    assert.ok(error instanceof AssayConnectionError)
    assert.deepEqual(ids, ['ü'])
  })

  test('and one that is whole does not', async () => {
    const [ids, error] = await read((response) => response.end(scenario('second')))
    assert.deepEqual([ids, error], [['ü', 'second'], undefined])
  })
})

describe('an abort ends at once, with its own reason', () => {
  const reason = new Error('Nobody waits.')

  test('what waits to be sent again', async () => {
    const { assay, seen } = await recovering(busy(503, 'unavailable', '20'), 9)
    const controller = new AbortController()
    const call = assay.getEvaluation('x', { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 50)
    const before = performance.now()
    await assert.rejects(call, reason)
    assert.ok(performance.now() - before < 10_000)
    assert.equal(seen.length, 1)
  })

  test('what was not answered yet, and what was given up before', async () => {
    let isClosed: Promise<unknown> | undefined
    const controller = new AbortController()
    const { assay } = await faulty((request) => {
      isClosed = once(request.socket, 'close')
      controller.abort(reason)
    })
    await assert.rejects(assay.addEvaluation({}, { signal: controller.signal }), reason)
    await isClosed
    const { signal } = controller
    await assert.rejects(assay.listEvaluations({}, { signal }), reason)
    await assert.rejects(assay.appendScenarios('x', [], { signal }), reason)
    await assert.rejects(assay.importFile('x', {}, { signal }), reason)
  })

  test('a stream under way, whose connection is closed then', async () => {
    let isClosed: Promise<unknown> | undefined
    const { assay } = await faulty((_request, response) => {
      isClosed = once(response, 'close')
      response.write('{"id":"first"}\n')
    })
    const controller = new AbortController()
    const read = async () => {
      for await (const _ of assay.scenarios('x', {}, { signal: controller.signal })) controller.abort(reason)
    }
    await assert.rejects(read(), reason)
    await isClosed
  })
})

test('a loop that is left closes the connection', async () => {
  let isClosed: Promise<unknown> | undefined
  const { assay } = await faulty((_request, response) => {
    isClosed = once(response, 'close')
    response.write('{"id":"first"}\n')
  })
  const seen: EvaluationScenario[] = []
  for await (const scenario of assay.scenarios('x')) {
    seen.push(scenario)
    break
  }
  await isClosed
  assert.equal(seen.length, 1)
})

test('a stream takes no more of the answer than is asked of it', async () => {
  const line = Buffer.from(`${JSON.stringify({ id: 'x'.repeat(1000) })}\n`)
  let sent = 0
  // Without an end: whoever gathers it never gives the first element.
  function* lines() {
    for (; ; sent += line.length) yield line
  }
  const { assay } = await faulty((_request, response) => {
    pipeline(Readable.from(lines()), response, () => undefined)
  })
  let taken = 0
  let ahead = 0
  for await (const _ of assay.scenarios('x')) {
    taken += line.length
    ahead = Math.max(ahead, sent - taken)
    if (taken > 50_000_000) break
  }
  assert.ok(ahead < 20_000_000, `${ahead} bytes`)
})

test('a write whose answer was lost is stored once, and its answer is the first one', async () => {
  const { assay, baseUrl, key } = await served()
  let calls = 0
  const losing: typeof fetch = async (url, init) => {
    const response = await fetch(url, init)
    if (++calls === 1) throw new TypeError('fetch failed')
    return response
  }
  const added = await new Assay({ key, baseUrl, fetch: losing }).addEvaluation({ name: 'Once' })
  assert.equal(calls, 2)
  assert.deepEqual(
    (await all(assay.evaluations())).map(({ id }) => id),
    [added.id],
  )
})
