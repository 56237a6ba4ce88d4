// Tests how the client handles failures: overloaded servers, failed connections, incomplete responses and aborts.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { Assay, AssayConnectionError, AssayError, type EvaluationScenario } from '../../client/client.ts'
import { collect, startFaultyServer, startServiceWithClient } from '../support/client-service.ts'

const PROBLEM = { 'content-type': 'application/problem+json' }
const JSON_TYPE = { 'content-type': 'application/json' }

function sendProblem(response: ServerResponse, status: number, code: string, headers = {}): void {
  response.writeHead(status, { ...PROBLEM, ...headers }).end(JSON.stringify({ status, code, detail: code }))
}

/** Starts a server that fails `failures` times and then succeeds. Records idempotency key and body of requests. */
async function startRecoveringServer(
  fail: (response: ServerResponse, attempt: number) => void,
  failures: number,
  retries?: number,
) {
  const requests: { idempotencyKey: string | undefined; body: string }[] = []
  const { assay } = await startFaultyServer(
    async (request, response) => {
      const idempotencyKey = request.headers['idempotency-key'] as string | undefined
      requests.push({ idempotencyKey, body: '' })
      const attempt = requests.length
      const body = await readBody(request)
      Object.assign(requests[attempt - 1] ?? {}, { body })
      if (attempt <= failures) fail(response, attempt)
      else response.writeHead(200, JSON_TYPE).end('{"id":"x"}')
    },
    { retries },
  )
  return { assay, requests }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

/** Calls `start` instead of waiting, for timers of this duration. */
function replaceTimer(t: TestContext, milliseconds: number, start: (end: () => void) => void): void {
  const { setTimeout } = globalThis
  const replacement = (end: () => void, delay: number, ...args: []) =>
    delay === milliseconds ? start(end) : setTimeout(end, delay, ...args)
  t.mock.method(globalThis, 'setTimeout', replacement)
}

const busy =
  (status: number, code: string, retryAfter = '0') =>
  (response: ServerResponse) =>
    sendProblem(response, status, code, { 'retry-after': retryAfter })
const disconnect = (response: ServerResponse) => void response.destroy()

describe('temporary failures', () => {
  for (const [status, code] of [
    [429, 'too-many-requests'],
    [503, 'unavailable'],
  ] as const) {
    test(`retries after ${status}, and retries writes with the same idempotency key`, async () => {
      const readServer = await startRecoveringServer(busy(status, code), 2)
      assert.equal((await readServer.assay.getEvaluation('x')).id, 'x')
      assert.deepEqual(
        readServer.requests.map(({ idempotencyKey }) => idempotencyKey),
        [undefined, undefined, undefined],
      )
      const write = await startRecoveringServer(busy(status, code), 2)
      assert.equal((await write.assay.addEvaluation({ name: 'x' })).id, 'x')
      assert.equal(new Set(write.requests.map(({ idempotencyKey }) => idempotencyKey)).size, 1)
      assert.match(write.requests[0]?.idempotencyKey ?? '', /^[0-9a-f]{32}$/)
      assert.deepEqual(
        write.requests.map(({ body }) => body),
        Array(3).fill('{"name":"x"}'),
      )
    })
  }

  test('sends the given idempotency key, so that a later call can repeat a write', async () => {
    const { assay, requests } = await startRecoveringServer(busy(503, 'unavailable'), 1, 0)
    const send = () => assay.putReviewAnswers('r', 's', { answers: [] }, { idempotencyKey: 'once' })
    await assert.rejects(send(), { status: 503 })
    await send()
    assert.deepEqual(
      requests.map(({ idempotencyKey }) => idempotencyKey),
      ['once', 'once'],
    )
  })

  test('waits for the time in Retry-After before a retry', async (t) => {
    const { assay, requests } = await startRecoveringServer(busy(503, 'unavailable', '7'), 1)
    const requestsAtWait: number[] = []
    replaceTimer(t, 7000, (end) => {
      requestsAtWait.push(requests.length)
      end()
    })
    await assay.getEvaluation('x')
    assert.deepEqual([requestsAtWait, requests.length], [[1], 2])
  })

  test('retries reads and writes after the connection fails', async () => {
    const readServer = await startRecoveringServer(disconnect, 1)
    assert.equal((await readServer.assay.getEvaluation('x')).id, 'x')
    const write = await startRecoveringServer(disconnect, 1)
    assert.equal((await write.assay.addVariant({})).id, 'x')
    assert.equal(write.requests[0]?.idempotencyKey, write.requests[1]?.idempotencyKey)
    assert.ok(write.requests[0]?.idempotencyKey)
  })

  test('retries when the response is cut off', async () => {
    const { assay } = await startRecoveringServer((response) => {
      response.writeHead(200, JSON_TYPE).write('{"id":')
      response.socket?.destroySoon()
    }, 1)
    assert.equal((await assay.getEvaluation('x')).id, 'x')
  })

  test('retries a write after 409 with Retry-After, when an earlier attempt is still being processed', async () => {
    const { assay, requests } = await startRecoveringServer(busy(409, 'conflict'), 1)
    assert.equal((await assay.addEvaluation({})).id, 'x')
    assert.equal(requests.length, 2)
  })
})

describe('permanent failures', () => {
  test('throws after the configured number of retries', async () => {
    const { assay, requests } = await startRecoveringServer(busy(503, 'unavailable'), 9, 1)
    await assert.rejects(assay.getEvaluation('x'), { name: 'AssayError', code: 'unavailable', retryAfter: 0 })
    assert.equal(requests.length, 2)
  })

  test('throws AssayConnectionError with its cause when the connection fails', async () => {
    const { assay, requests } = await startRecoveringServer(disconnect, 9, 0)
    const error = await assay.getEvaluation('x').catch((error) => error)
    assert.ok(error instanceof AssayConnectionError && error.cause instanceof Error)
    assert.equal(requests.length, 1)
  })

  test('does not retry when Retry-After is too long or the error is not temporary', async () => {
    const long = await startRecoveringServer(busy(429, 'too-many-requests', '60'), 9)
    await assert.rejects(long.assay.getEvaluation('x'), { status: 429, retryAfter: 60 })
    const conflict = await startRecoveringServer((response) => sendProblem(response, 409, 'conflict'), 9)
    await assert.rejects(conflict.assay.addEvaluation({}), { code: 'conflict' })
    const internal = await startRecoveringServer(
      (response) => sendProblem(response, 500, 'internal-error'),
      9,
    )
    await assert.rejects(internal.assay.getEvaluation('x'), { code: 'internal-error' })
    assert.deepEqual([long.requests.length, conflict.requests.length, internal.requests.length], [1, 1, 1])
  })

  test('does not retry a streamed body and sends no idempotency key with it', async () => {
    const { assay, requests } = await startRecoveringServer(busy(503, 'unavailable'), 9)
    await assert.rejects(assay.importFile(new Blob(['x']).stream()), { code: 'unavailable' })
    async function* records() {
      yield { id: 'x' }
    }
    await assert.rejects(assay.appendScenarios('x', records()), { code: 'unavailable' })
    assert.deepEqual(
      requests.map(({ idempotencyKey }) => idempotencyKey),
      [undefined, undefined],
    )
  })

  test('throws AssayError for a response of a proxy and for a response that is not JSON', async () => {
    const proxy = await startFaultyServer((_request, response) =>
      response.writeHead(502).end('<h1>Bad gateway</h1>'),
    )
    const error = await proxy.assay.getEvaluation('x').catch((error) => error)
    assert.ok(error instanceof AssayError)
    assert.deepEqual([error.status, error.code, error.title], [502, undefined, 'Status 502'])
    const page = await startFaultyServer((_request, response) => response.end('<h1>Sign in</h1>'))
    await assert.rejects(page.assay.getEvaluation('x'), { status: 200, detail: /not JSON.*base URL/ })
  })
})

describe('an NDJSON response that is read as a stream', () => {
  const scenario = (id: string) => `${JSON.stringify({ id })}\n`

  async function readServer(end: (response: ServerResponse) => void): Promise<[string[], unknown]> {
    const { assay } = await startFaultyServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      // Splits a character of two bytes between two chunks.
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

  test('throws when the connection is reset', async () => {
    const [ids, error] = await readServer((response) => response.socket?.resetAndDestroy())
    assert.ok(error instanceof AssayConnectionError && error.cause !== undefined)
    assert.ok(ids.length <= 1)
  })

  test('throws when the connection closes before the last chunk, after yielding the received lines', async () => {
    const [ids, error] = await readServer((response) => response.socket?.end())
    assert.ok(error instanceof AssayConnectionError)
    assert.deepEqual(ids, ['ü'])
  })

  test('throws when the last line has no newline, even if the HTTP response is complete', async () => {
    const [ids, error] = await readServer((response) => response.end('{"id":"second"}'))
    assert.ok(error instanceof AssayConnectionError)
    assert.deepEqual(ids, ['ü'])
  })

  test('yields all lines of a complete response', async () => {
    const [ids, error] = await readServer((response) => response.end(scenario('second')))
    assert.deepEqual([ids, error], [['ü', 'second'], undefined])
  })
})

describe('aborting a request', () => {
  const reason = new Error('Request canceled.')

  test('rejects with the abort reason while waiting for a retry', async (t) => {
    const { assay, requests } = await startRecoveringServer(busy(503, 'unavailable', '20'), 9)
    const controller = new AbortController()
    // The time never passes: only the abort ends the wait.
    replaceTimer(t, 20_000, () => setImmediate(() => controller.abort(reason)))
    await assert.rejects(assay.getEvaluation('x', { signal: controller.signal }), reason)
    assert.equal(requests.length, 1)
  })

  test('rejects with the abort reason while waiting for a response, and when the signal is already aborted', async () => {
    let isClosed: Promise<unknown> | undefined
    const controller = new AbortController()
    const { assay } = await startFaultyServer((request) => {
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

  test('rejects with the abort reason while streaming, and closes the connection', async () => {
    let isClosed: Promise<unknown> | undefined
    const { assay } = await startFaultyServer((_request, response) => {
      isClosed = once(response, 'close')
      response.write('{"id":"first"}\n')
    })
    const controller = new AbortController()
    const readServer = async () => {
      for await (const _ of assay.scenarios('x', {}, { signal: controller.signal })) controller.abort(reason)
    }
    await assert.rejects(readServer(), reason)
    await isClosed
  })
})

test('leaving a for-await loop closes the connection', async () => {
  let isClosed: Promise<unknown> | undefined
  const { assay } = await startFaultyServer((_request, response) => {
    isClosed = once(response, 'close')
    response.write('{"id":"first"}\n')
  })
  const requests: EvaluationScenario[] = []
  for await (const scenario of assay.scenarios('x')) {
    requests.push(scenario)
    break
  }
  await isClosed
  assert.equal(requests.length, 1)
})

test('a stream reads only as much of the response as the loop consumes', async () => {
  const line = Buffer.from(`${JSON.stringify({ id: 'x'.repeat(1000) })}\n`)
  let sentBytes = 0
  // Endless, so a client that buffers the whole response would never yield the first element.
  function* lines() {
    for (; ; sentBytes += line.length) yield line
  }
  const { assay } = await startFaultyServer((_request, response) => {
    pipeline(Readable.from(lines()), response, () => undefined)
  })
  let consumed = 0
  let ahead = 0
  for await (const _ of assay.scenarios('x')) {
    consumed += line.length
    ahead = Math.max(ahead, sentBytes - consumed)
    if (consumed > 50_000_000) break
  }
  assert.ok(ahead < 20_000_000, `${ahead} bytes`)
})

test('a write whose response is lost is stored once, and the retry returns the stored evaluation', async () => {
  const { assay, baseUrl, key } = await startServiceWithClient()
  let requestCount = 0
  const failFirstResponse: typeof fetch = async (url, init) => {
    const response = await fetch(url, init)
    if (++requestCount === 1) throw new TypeError('fetch failed')
    return response
  }
  const addedEvaluation = await new Assay({ key, baseUrl, fetch: failFirstResponse }).addEvaluation({
    name: 'Once',
  })
  assert.equal(requestCount, 2)
  assert.deepEqual(
    (await collect(assay.evaluations())).map(({ id }) => id),
    [addedEvaluation.id],
  )
})
