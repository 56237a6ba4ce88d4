// Tests how clients share a response: readers join and leave while it is written, and disk space is released.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { DiskBudget } from '../../../src/disk-budget.ts'
import { ResponseStore } from '../../../src/http/response/response-store.ts'
import type { ResponseReader, StoredResponse } from '../../../src/http/response/stored-response.ts'
import { collectLog, createTempFolder } from '../../support/harness.ts'

const MAX_BYTES = 1_000_000_000
const CHUNK_BYTES = 300_000

/** Chunks with different contents. */
function chunk(index: number): Uint8Array {
  return new Uint8Array(CHUNK_BYTES).fill(index)
}

/** The chunks of a response, which the test adds one by one. */
class TestSource {
  readonly #chunks: Uint8Array[] = []
  #change = Promise.withResolvers<void>()
  #isEnded = false
  #failure: Error | undefined
  /** The name of what is read, which differs after a change. */
  name = 'name'
  started = 0
  stopped = 0
  added = 0

  add(): void {
    this.#chunks.push(chunk(this.added))
    this.added += 1
    this.#notify()
  }

  end(): void {
    this.#isEnded = true
    this.#notify()
  }

  fail(): void {
    this.#failure = new Error('The source failed')
    this.#notify()
  }

  readonly produce = async (response: StoredResponse): Promise<string> => {
    response.start({ status: 200, headers: {} })
    await response.write(this.#read())
    return this.name
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    this.started += 1
    try {
      for (;;) {
        const { promise } = this.#change
        if (this.#failure) throw this.#failure
        const next = this.#chunks.shift()
        if (next) yield next
        else if (this.#isEnded) return
        else await promise
      }
    } finally {
      this.stopped += 1
    }
  }

  #notify(): void {
    this.#change.resolve()
    this.#change = Promise.withResolvers()
  }
}

function createResponses(budgetBytes = MAX_BYTES) {
  const budget = new DiskBudget(budgetBytes)
  const responses = new ResponseStore({ folder: createTempFolder(), budget }, 1, collectLog().log)
  after(() => responses.close())
  /** Finds the response, or starts it from the source. */
  async function read(source: TestSource): Promise<ResponseReader> {
    const user = { closed: false, once: () => undefined }
    const found = await responses.get('name', user, async () => responses.start('name', source.produce))
    assert.ok('reader' in found)
    return found.reader
  }
  return { budget, responses, read }
}

async function readAll(reader: ResponseReader): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(reader))
}

/** Reads until the reader has at least this many bytes. */
async function readBytes(chunks: AsyncGenerator<Uint8Array>, bytes: number): Promise<void> {
  for (let length = 0; length < bytes; ) {
    const result = await chunks.next()
    assert.ok(!result.done, 'the response ended')
    length += result.value.length
  }
}

function expectedBytes(count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, index) => chunk(index)))
}

describe('a long response', () => {
  for (const isCurrent of [true, false])
    test(`${isCurrent ? 'is' : 'of another version than its name is not'} found after it was sent`, async () => {
      const { budget, read } = createResponses()
      const source = new TestSource()
      if (!isCurrent) source.name = 'changed'
      source.add()
      source.end()
      assert.deepEqual(await readAll(await read(source)), expectedBytes(1))
      if (!isCurrent) while (budget.usedBytes > 0) await yieldToEventLoop()
      const next = new TestSource()
      next.end()
      assert.deepEqual(await readAll(await read(next)), expectedBytes(isCurrent ? 1 : 0))
      assert.equal(next.started, isCurrent ? 0 : 1)
    })

  test('is read once for all clients that attach while it is written', async () => {
    const { read } = createResponses()
    const source = new TestSource()
    source.add()
    const first = (await read(source))[Symbol.asyncIterator]()
    await readBytes(first, CHUNK_BYTES - 1)
    // These attach after the first client has read a part.
    const bodies = [readAll(await read(new TestSource())), readAll(await read(new TestSource()))]
    for (let count = 0; count < 5; count += 1) source.add()
    source.end()
    for (const body of await Promise.all(bodies)) assert.ok(body.equals(expectedBytes(6)))
    // The first client is slower. Others can still attach to the same file.
    assert.ok((await readAll(await read(new TestSource()))).equals(expectedBytes(6)))
    while (!(await first.next()).done);
    assert.equal(source.started, 1)
  })

  test('continues for the other clients when the one that started it disconnects', async () => {
    const { read } = createResponses()
    const source = new TestSource()
    source.add()
    const first = await read(source)
    const second = await read(new TestSource())
    await first.close()
    source.add()
    source.end()
    assert.ok((await readAll(second)).equals(expectedBytes(2)))
  })

  test('ends the source and releases its space when the last client disconnects', async () => {
    const { budget, read } = createResponses()
    const source = new TestSource()
    source.add()
    const readers = [await read(source), await read(new TestSource())]
    while (budget.usedBytes === 0) await yieldToEventLoop()
    for (const reader of readers) await reader.close()
    source.add()
    while (source.stopped === 0 || budget.usedBytes > 0) await yieldToEventLoop()
    const next = new TestSource()
    next.end()
    await readAll(await read(next))
    assert.equal(next.started, 1)
  })

  test('fails for all clients when the source fails, and the next request starts again', async () => {
    const { budget, read } = createResponses()
    const source = new TestSource()
    source.add()
    const readers = [await read(source), await read(new TestSource())]
    const bodies = readers.map((reader) => assert.rejects(readAll(reader), /The source failed/))
    source.fail()
    await Promise.all(bodies)
    while (budget.usedBytes > 0) await yieldToEventLoop()
    const next = new TestSource()
    next.add()
    next.end()
    assert.ok((await readAll(await read(next))).equals(expectedBytes(1)))
  })

  test('reaches every client when its file cannot be extended, at the pace of the slowest one', async () => {
    const { budget, read } = createResponses(1_000_000)
    const source = new TestSource()
    source.add()
    const slowChunks = (await read(source))[Symbol.asyncIterator]()
    const fastBody = readAll(await read(new TestSource()))
    await readBytes(slowChunks, 1)
    for (let count = 0; count < 9; count += 1) source.add()
    source.end()
    while (budget.usedBytes < 3 * CHUNK_BYTES) await yieldToEventLoop()
    while (!(await slowChunks.next()).done);
    assert.ok((await fastBody).equals(expectedBytes(10)))
    while (budget.usedBytes > 0) await yieldToEventLoop()
    // The beginning is not available to further clients.
    const next = new TestSource()
    next.end()
    await readAll(await read(next))
    assert.equal(next.started, 1)
  })

  test('is evicted from its file when others need the disk space', async () => {
    const { budget, read } = createResponses(100 * CHUNK_BYTES)
    const source = new TestSource()
    source.add()
    source.end()
    await readAll(await read(source))
    assert.equal(budget.usedBytes, CHUNK_BYTES)
    assert.ok(budget.reserve(100 * CHUNK_BYTES))
    budget.release(100 * CHUNK_BYTES)
    const next = new TestSource()
    next.end()
    await readAll(await read(next))
    assert.equal(next.started, 1)
  })

  test('gives way to a request that waits for its disk space, which is counted once', async () => {
    const { budget, read } = createResponses(100 * CHUNK_BYTES)
    const source = new TestSource()
    source.add()
    const reader = await read(source)
    while (budget.usedBytes === 0) await yieldToEventLoop()
    assert.ok(budget.reserve(1))
    const reserved = budget.reserveInTurn(100 * CHUNK_BYTES)
    source.end()
    await readAll(reader)
    budget.release(1)
    assert.ok(await reserved)
    assert.equal(budget.usedBytes, 100 * CHUNK_BYTES)
  })
})

test('equal requests share one short response, and its failure', async () => {
  const { responses } = createResponses()
  const user = { closed: false, once: () => undefined }
  const fail = async (): Promise<never> => {
    await yieldToEventLoop()
    throw new Error('The source failed')
  }
  const failed = await Promise.allSettled([1, 2].map(() => responses.get('name', user, fail)))
  assert.deepEqual(
    failed.map((outcome) => outcome.status === 'rejected' && outcome.reason.message),
    ['The source failed', 'The source failed'],
  )
  let count = 0
  const produce = async () => {
    await yieldToEventLoop()
    count += 1
    return { name: 'name', headers: {}, bytes: chunk(count) }
  }
  const found = await Promise.all([1, 2].map(() => responses.get('name', user, produce)))
  assert.equal(found[0], found[1])
  assert.equal(count, 1)
})

for (const [maxMemoryBytes, maxCount] of [
  [0, 0],
  [100_000, 100],
] as const)
  test(`${maxMemoryBytes} bytes of memory contain at most ${maxCount} responses, however short they are`, async () => {
    const storage = { folder: createTempFolder(), budget: new DiskBudget(MAX_BYTES) }
    const responses = new ResponseStore(storage, maxMemoryBytes, collectLog().log)
    const user = { closed: true, once: () => undefined }
    const names = Array.from({ length: 1000 }, (_, index) => `name ${index}`)
    for (const name of names)
      await responses.get(name, user, async () => ({ name, headers: {}, bytes: new Uint8Array() }))
    const cachedCount = names.filter((name) => responses.findInMemory(name, user)).length
    assert.ok(cachedCount <= maxCount, `${cachedCount} are cached`)
    assert.equal(cachedCount > 0, maxCount > 0)
  })

test('releases the reserved disk space at whatever chunk the client disconnects', async () => {
  const CHUNK_COUNT = 100
  const { budget, responses } = createResponses()
  /** The client disconnects when this chunk is read from the source, or after it has received all chunks. */
  async function disconnectAt(disconnectCount: number): Promise<void> {
    let bytes: AsyncGenerator<Uint8Array> | undefined
    async function* source(): AsyncGenerator<Uint8Array> {
      for (let count = 1; count <= CHUNK_COUNT; count += 1) {
        if (count === disconnectCount) setImmediate(() => void bytes?.return(undefined))
        yield new Uint8Array(1_000_000)
      }
    }
    const isDone = Promise.withResolvers<void>()
    const { reader } = responses.start(undefined, async (response) => {
      response.start({ status: 200, headers: {} })
      await response.write(source())
      isDone.resolve()
      return undefined
    })
    bytes = reader[Symbol.asyncIterator]()
    await bytes.next()
    await isDone.promise
    while (!(await bytes.next()).done);
  }
  // The first two chunks stay in memory; then the file is opened.
  await Promise.all([2, 3, 4, 5, 20, CHUNK_COUNT, CHUNK_COUNT + 1].map(disconnectAt))
  assert.equal(budget.usedBytes, 0)
})

test('a full disk budget admits large responses in order of arrival', async () => {
  const budget = new DiskBudget(100)
  assert.ok(await budget.reserveInTurn(60))
  const admitted: string[] = []
  const wait = async (name: string, bytes: number) => {
    assert.ok(await budget.reserveInTurn(bytes))
    admitted.push(name)
  }
  const waiting = [wait('large', 80), wait('small', 10)]
  await yieldToEventLoop()
  // The small one would fit, but it came later.
  assert.deepEqual(admitted, [])
  budget.release(60)
  await Promise.all(waiting)
  assert.deepEqual(admitted, ['large', 'small'])
  assert.equal(await budget.reserveInTurn(20, { signal: AbortSignal.abort() }), false)
  assert.equal(budget.usedBytes, 90)
})

test('a waiting request is counted once when its space is that of evicted responses', async () => {
  const budget = new DiskBudget(100)
  let cachedBytes = 45
  assert.ok(budget.reserve(cachedBytes + 45))
  const waiting = budget.reserveInTurn(20)
  budget.onFull = () => {
    budget.release(cachedBytes)
    const isEvicted = cachedBytes > 0
    cachedBytes = 0
    return isEvicted
  }
  budget.release(1)
  assert.ok(await waiting)
  assert.equal(budget.usedBytes, 44 + 20)
})

test('disk space that is released when a request stops waiting is not lost', async () => {
  const budget = new DiskBudget(100)
  assert.ok(budget.reserve(100))
  const abortController = new AbortController()
  const waiting = budget.reserveInTurn(20, { signal: abortController.signal })
  abortController.abort()
  budget.release(100)
  assert.equal(await waiting, false)
  assert.equal(budget.usedBytes, 0)
})
