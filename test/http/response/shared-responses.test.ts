// Tests how clients share the file of a response: readers join and leave while it is written, and disk space is released.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { DiskBudget } from '../../../src/disk-budget.ts'
import { FileCache } from '../../../src/http/response/file-cache.ts'
import type { ResponseBuffer, ResponseReader } from '../../../src/http/response/response-buffer.ts'
import { SharedResponses } from '../../../src/http/response/shared-responses.ts'
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
  isCacheable = true
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

  readonly produce = async (buffer: ResponseBuffer): Promise<void> => {
    buffer.start({ status: 200, headers: {} })
    await buffer.write(this.#read(), this.isCacheable)
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

function createResponses({ cacheBytes = 0, budgetBytes = MAX_BYTES } = {}) {
  const folder = createTempFolder()
  const budget = new DiskBudget(budgetBytes)
  const storage = { folder, budget }
  const cache = new FileCache(folder, cacheBytes, storage, collectLog().log)
  const responses = new SharedResponses(storage, cache)
  const start = (source: TestSource, name: string | undefined = 'name') =>
    responses.start({ name, isCompressed: false, produce: source.produce })
  return { folder, budget, cache, responses, start }
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

/** Starts a direct response, so that the next equal one is shared. */
async function startDirect(start: ReturnType<typeof createResponses>['start']) {
  const source = new TestSource()
  source.add()
  return { source, ...(await start(source)) }
}

describe('a shared response', () => {
  for (const isCacheable of [true, false])
    test(`${isCacheable ? 'is' : 'of another version than its name is not'} found after it was sent`, async () => {
      const { cache, start } = createResponses({ cacheBytes: MAX_BYTES })
      await (await startDirect(start)).reader.close()
      const source = new TestSource()
      source.isCacheable = isCacheable
      const { reader } = await start(source)
      source.add()
      source.end()
      assert.deepEqual(await readAll(reader), expectedBytes(1))
      const cached = await cache.find('name')
      assert.equal(cached !== undefined, isCacheable)
      await cached?.file.close()
    })

  for (const cacheBytes of [0, MAX_BYTES]) {
    const place = cacheBytes === 0 ? 'a temporary file' : 'a file of the cache'
    test(`is read once for all clients that attach while it is written to ${place}`, async () => {
      const { folder, budget, responses, start } = createResponses({ cacheBytes })
      const direct = await startDirect(start)
      const source = new TestSource()
      source.add()
      const readers = [(await start(source)).reader]
      const [first] = readers.map((reader) => reader[Symbol.asyncIterator]())
      assert.ok(first)
      await readBytes(first, CHUNK_BYTES - 1)
      // These attach after the first client has read a part.
      readers.push((await start(new TestSource())).reader)
      const found = await responses.find('name')
      assert.ok(found)
      readers.push(found.reader)
      const bodies = readers.slice(1).map(readAll)
      for (let count = 0; count < 5; count += 1) source.add()
      source.end()
      for (const body of await Promise.all(bodies)) assert.ok(body.equals(expectedBytes(6)))
      assert.equal(source.started, 1)
      // The first client is slower. Others can still attach to the same file.
      const late = await responses.find('name')
      assert.ok(late && late.buffer === found.buffer)
      assert.ok((await readAll(late.reader)).equals(expectedBytes(6)))
      while (!(await first.next()).done);
      direct.source.end()
      await readAll(direct.reader)
      assert.equal(budget.usedBytes, 0)
      assert.equal(readdirSync(folder).length, cacheBytes === 0 ? 0 : 1)
    })
  }

  test('continues for the other clients when the one that started it disconnects', async () => {
    const { budget, start } = createResponses()
    const direct = await startDirect(start)
    const source = new TestSource()
    source.add()
    const { reader: first } = await start(source)
    const { reader: second } = await start(new TestSource())
    await first.close()
    source.add()
    source.end()
    assert.ok((await readAll(second)).equals(expectedBytes(2)))
    await direct.reader.close()
    direct.source.end()
    while (budget.usedBytes > 0) await yieldToEventLoop()
  })

  test('ends the source and removes the file when the last client disconnects', async () => {
    const { folder, budget, responses, start } = createResponses({ cacheBytes: MAX_BYTES })
    const direct = await startDirect(start)
    const source = new TestSource()
    source.add()
    const { reader: first } = await start(source)
    const { reader: second } = await start(new TestSource())
    while (readdirSync(folder).length === 0) await yieldToEventLoop()
    await first.close()
    await second.close()
    source.add()
    while (source.stopped === 0 || readdirSync(folder).length > 0) await yieldToEventLoop()
    assert.equal(await responses.find('name'), undefined)
    await direct.reader.close()
    direct.source.add()
    while (direct.source.stopped === 0 || budget.usedBytes > 0) await yieldToEventLoop()
  })

  test('fails for all clients when the source fails, and the next request starts again', async () => {
    const { folder, start } = createResponses({ cacheBytes: MAX_BYTES })
    const direct = await startDirect(start)
    const source = new TestSource()
    source.add()
    const readers = [(await start(source)).reader, (await start(new TestSource())).reader]
    const bodies = readers.map((reader) => assert.rejects(readAll(reader), /The source failed/))
    source.fail()
    await Promise.all(bodies)
    while (readdirSync(folder).length > 0) await yieldToEventLoop()
    const nextSource = new TestSource()
    nextSource.add()
    nextSource.end()
    assert.ok((await readAll((await start(nextSource)).reader)).equals(expectedBytes(1)))
    await direct.reader.close()
    direct.source.end()
  })

  test('reaches every client when its file cannot be extended, at the pace of the slowest one', async () => {
    // The direct response and the shared one each reserve 256 kB at their start.
    const { budget, responses, start } = createResponses({ budgetBytes: 1_200_000 })
    const direct = await startDirect(start)
    const source = new TestSource()
    source.add()
    const slow = (await start(source)).reader
    const fast = (await start(new TestSource())).reader
    const slowChunks = slow[Symbol.asyncIterator]()
    await readBytes(slowChunks, 1)
    for (let count = 0; count < 9; count += 1) source.add()
    source.end()
    const fastBody = readAll(fast)
    // The beginning is not available to further clients after the limit is reached.
    while (
      (await responses.find('name').then((found) => found?.reader.close().then(() => found))) !== undefined
    )
      await yieldToEventLoop()
    while (!(await slowChunks.next()).done);
    assert.ok((await fastBody).equals(expectedBytes(10)))
    await direct.reader.close()
    direct.source.end()
    while (budget.usedBytes > 0) await yieldToEventLoop()
  })
})

test('a response that is too large for the cache becomes a temporary file', async () => {
  const { folder, budget, start } = createResponses({ cacheBytes: 4 * CHUNK_BYTES })
  const direct = await startDirect(start)
  const source = new TestSource()
  source.add()
  const { reader } = await start(source)
  while (readdirSync(folder).length === 0) await yieldToEventLoop()
  source.add()
  source.end()
  assert.ok((await readAll(reader)).equals(expectedBytes(2)))
  assert.deepEqual(readdirSync(folder), [])
  await direct.reader.close()
  direct.source.end()
  while (budget.usedBytes > 0) await yieldToEventLoop()
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
    const { reader } = await responses.start({
      isCompressed: false,
      async produce(buffer) {
        buffer.start({ status: 200, headers: {} })
        await buffer.write(source(), true)
        isDone.resolve()
      },
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
