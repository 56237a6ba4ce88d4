// Answers that are kept: the same bytes as those that are made anew, within a budget, and none that is out of date.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { RenditionFiles } from '../../src/http/rendition-files.ts'
import { Renditions } from '../../src/http/renditions.ts'
import { Line } from '../cli/worker-service.ts'
import { addHeavyEvaluation, fillCorpus } from '../corpus.ts'
import { freshFolder, freshStore, mint, serveStore } from '../harness.ts'
import { type Answer, ask } from '../wire.ts'
import { FULL, REVISIONS, scenariosOf } from '../writes.ts'

const NOTHING_KEPT = { max_rendition_bytes: 0, max_rendition_file_bytes: 0 }
const CODINGS = ['identity', 'gzip', 'br', 'zstd']
const COMPRESSED = CODINGS.slice(1)

const store = await freshStore()
await fillCorpus(store)
const { key: authorization } = await mint(store, { scopes: ['read', 'write'] })
const anew = await serveStore(store, NOTHING_KEPT)

function read({ base }: { base: string }, path: string, coding: string): Promise<Answer> {
  return ask(base, path, { authorization, 'accept-encoding': coding })
}

/** What of an answer may not depend on whether it was kept. */
function essence({ status, headers, bytes }: Answer) {
  const { date: _, 'x-request-id': id, ...fields } = headers
  assert.ok(id)
  return { status, fields, bytes: bytes.toString('base64') }
}

async function write(path: string, method: string, body: string): Promise<void> {
  const fields = { authorization, 'content-type': 'application/json' }
  const { status, text } = await ask(anew.base, path, fields, method, body)
  assert.ok(status < 300, text)
}

describe('an answer is the same the first time, the second time, and where nothing is kept', async () => {
  const service = await serveStore(store)
  const paths = [FULL, `${FULL}?include=extra`, scenariosOf('exact'), scenariosOf('empty'), REVISIONS]
  for (const path of paths) {
    test(path, async () => {
      for (const format of ['json', 'ndjson', 'csv']) {
        const question = `${path}${path.includes('?') ? '&' : '?'}format=${format}`
        for (const coding of CODINGS) {
          const first = essence(await read(service, question, coding))
          assert.equal(first.status, 200)
          assert.deepEqual(essence(await read(service, question, coding)), first, `${question} ${coding}`)
          assert.deepEqual(essence(await read(anew, question, coding)), first, `${question} ${coding}`)
        }
      }
    })
  }
})

test('what is kept is sent without a look at the rows, until something is written', async () => {
  const service = await serveStore(store)
  const path = scenariosOf('shared')
  const first = await read(service, path, 'gzip')
  // Past everything that gives a version.
  await store.writer.transaction((transaction) =>
    transaction.run(`UPDATE scenario SET body = replace(body, '"s-3"', '"s-X"')`),
  )
  assert.equal((await read(service, path, 'gzip')).text, first.text)
  assert.match((await read(anew, path, 'gzip')).text, /"s-X"/)
  await write(`${path}/s-1`, 'PATCH', '{"note":"seen"}')
  for (const coding of CODINGS) assert.match((await read(service, path, coding)).text, /"note":"seen"/)
})

describe('a large answer that was compressed', async () => {
  await addHeavyEvaluation(store, 'heavy', 45, 100_000)
  const path = scenariosOf('heavy')
  const data = freshFolder()
  const folder = join(data, 'renditions')
  const service = await serveStore(store, { data })
  const expected = new Map<string, Answer>()

  test('comes from a file the second time, with its length, and is the same', async () => {
    for (const coding of COMPRESSED) {
      const first = await read(service, path, coding)
      assert.equal(first.headers['content-length'], undefined)
      const second = await read(service, path, coding)
      assert.equal(second.headers['content-length'], String(first.bytes.length))
      for (const other of [second, await read(anew, path, coding)]) {
        assert.ok(other.bytes.equals(first.bytes), coding)
        assert.equal(other.headers.etag, first.headers.etag)
        assert.equal(other.headers['content-encoding'], coding)
      }
      expected.set(coding, first)
    }
    assert.equal(readdirSync(folder).length, COMPRESSED.length)
    assert.equal((await read(service, path, 'identity')).text, expected.get('gzip')?.text)
    assert.equal(
      readdirSync(folder).length,
      COMPRESSED.length,
      'what is not compressed is not kept in a file',
    )
  })

  test('is there after a restart, and what was left unfinished is not', async () => {
    const unfinished = join(folder, 'left-behind.part')
    writeFileSync(unfinished, 'half of it')
    const next = await serveStore(store, { data })
    assert.ok(!existsSync(unfinished))
    const { headers, bytes } = await read(next, path, 'zstd')
    assert.equal(headers['content-length'], String(bytes.length))
    assert.equal(readdirSync(folder).length, COMPRESSED.length)
  })

  test('does not mind that its folder is deleted, not even while it is sent', async () => {
    const line = new Line(service.base)
    const fields = { authorization, 'accept-encoding': 'gzip' }
    const fromFile = await line.begin(path, fields)
    assert.ok(fromFile.headers['content-length'])
    rmSync(folder, { recursive: true })
    const chunks: Buffer[] = []
    for await (const chunk of fromFile) chunks.push(chunk)
    assert.ok(Buffer.concat(chunks).equals(expected.get('gzip')?.bytes ?? Buffer.of()))
    const beingKept = await line.begin(path, fields)
    assert.equal(beingKept.headers['content-length'], undefined)
    rmSync(folder, { recursive: true })
    const again: Buffer[] = []
    for await (const chunk of beingKept) again.push(chunk)
    assert.ok(Buffer.concat(again).equals(expected.get('gzip')?.bytes ?? Buffer.of()))
    line.close()
  })

  test('is made anew once something is written', async () => {
    for (const coding of COMPRESSED) await read(service, path, coding)
    await write(`${path}/s-1`, 'PATCH', '{"note":"seen"}')
    for (const coding of COMPRESSED) {
      const { headers, text } = await read(service, path, coding)
      assert.equal(headers['content-length'], undefined)
      assert.notEqual(headers.etag, expected.get(coding)?.headers.etag)
      assert.match(text, /"note":"seen"/)
    }
  })

  test('is sent all the same where no file can be made, or where it is too large for one', async () => {
    const spoilt = freshFolder()
    writeFileSync(join(spoilt, 'renditions'), 'a file in the place of the folder')
    const without = await serveStore(store, { data: spoilt })
    const small = await serveStore(store, { max_rendition_file_bytes: 1_000_000 })
    const { bytes } = await read(anew, path, 'gzip')
    for (const one of [without, small]) {
      for (let times = 0; times < 2; times += 1) {
        const answer = await read(one, path, 'gzip')
        assert.equal(answer.headers['content-length'], undefined)
        assert.ok(answer.bytes.equals(bytes))
      }
    }
    assert.deepEqual(readdirSync(join(small.settings.data, 'renditions')), [])
  })
})

describe('the budget', () => {
  const HUNDRED = new Uint8Array(100)
  const response = () => new ServerResponse(new IncomingMessage(new Socket()))

  /** Which of them are kept, asked for by somebody who is gone at once. */
  function keptOf(renditions: Renditions, names: string): string {
    return [...names]
      .filter((name) => {
        const asking = response()
        const isKept = renditions.lend(name, asking) !== undefined
        asking.emit('close')
        return isKept
      })
      .join('')
  }

  test('of memory holds: those not asked for longest go first, and one alone gets a quarter', () => {
    const renditions = new Renditions(400)
    for (const name of 'abcd') renditions.keep(name, HUNDRED)
    assert.equal(keptOf(renditions, 'a'), 'a')
    renditions.keep('e', HUNDRED)
    assert.equal(keptOf(renditions, 'abcde'), 'acde')
    renditions.keep('f', new Uint8Array(101))
    assert.equal(keptOf(renditions, 'acdef'), 'acde')
    renditions.keep('a', HUNDRED)
    assert.equal(keptOf(renditions, 'acde'), 'acde', 'the same again takes no more room')
  })

  test('of memory counts what is being sent until it has been', () => {
    const renditions = new Renditions(400)
    for (const name of 'abcd') renditions.keep(name, HUNDRED)
    const sending = [...'abcd'].map((name) => {
      const one = response()
      renditions.lend(name, one)
      return one
    })
    renditions.keep('e', HUNDRED)
    assert.equal(renditions.hasRoomFor(100), false)
    sending[2]?.emit('close')
    renditions.keep('f', HUNDRED)
    assert.equal(keptOf(renditions, 'abcdef'), 'abdf')
    for (const one of sending) one.emit('close')
  })

  test('of memory is not held by somebody who has gone before', async () => {
    const renditions = new Renditions(400)
    for (const name of 'abcd') renditions.keep(name, HUNDRED)
    const server = createServer()
    await new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(undefined)))
    const { port } = server.address() as { port: number }
    const socket = connect(port, '127.0.0.1').end('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const [, gone] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
    socket.resetAndDestroy()
    await once(gone, 'close')
    server.close()
    for (const name of 'abcd') renditions.lend(name, gone)
    assert.equal(renditions.hasRoomFor(100), true)
  })

  test('of files holds: those not asked for longest go first', async () => {
    const folder = join(freshFolder(), 'renditions')
    mkdirSync(folder)
    const files = new RenditionFiles(folder, 400)
    const drain = async (bytes: AsyncIterable<Uint8Array> | undefined) => Array.fromAsync(bytes ?? [])
    async function* hundred() {
      yield HUNDRED
    }
    for (const name of 'abcd') await drain(files.keep(name, hundred()))
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 0, 0)
    for (const name of 'acd') assert.equal((await drain((await files.find(name))?.bytes)).length, 1)
    await drain(files.keep('e', hundred()))
    const found = []
    for (const name of 'abcde') {
      const file = await files.find(name)
      await drain(file?.bytes)
      if (file) found.push(name)
    }
    assert.equal(found.join(''), 'acde')
  })
})
