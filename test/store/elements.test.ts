// The elements of a whole answer: complete and in order whatever their sizes, from one unchanging state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { written } from '../../src/schema/written.ts'
import { EVERYTHING, pageRange, readPieces } from '../../src/store/elements.ts'
import { addEvaluation } from '../../src/store/evaluations.ts'
import { ensureProject } from '../../src/store/projects.ts'
import { SCENARIOS } from '../../src/store/scenarios.ts'
import type { Connection } from '../../src/store/store.ts'
import { addScenarios, scenario } from '../corpus.ts'
import { freshStore } from '../harness.ts'

const store = await freshStore()
let made = 0

/** An evaluation whose bodies are what is given, at the positions given. */
async function evaluationOf(bodies: { position: number; body: string }[]): Promise<number> {
  made += 1
  const id = `e${made}`
  return store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const key = await addEvaluation(transaction, project, written({ id }))
    for (const { position, body } of bodies) {
      await transaction.run(
        'INSERT INTO scenario (evaluation, position, id, body, digest) VALUES (?, ?, ?, ?, ?)',
        key,
        position,
        `s${position}`,
        body,
        new Uint8Array(32),
      )
    }
    return key
  })
}

async function joined(
  connection: Connection,
  key: number,
  range = EVERYTHING,
  separator = '\n',
): Promise<string> {
  const pieces: string[] = []
  for await (const piece of readPieces(connection, SCENARIOS, key, range, separator)) {
    pieces.push(Buffer.from(piece).toString())
  }
  return pieces.join(separator)
}

const sizes = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 2, max: 3000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 200_000, max: 600_000 }) },
)
const bodies = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 40 }), size: sizes }), { maxLength: 300 })
  .map((list) => {
    let position = -1
    return list.map(({ gap, size }, index) => {
      position += gap
      return { position, body: `{"i":${index},"é":"${'x'.repeat(size)}"}` }
    })
  })

test('every element once and in order, whatever the sizes and the gaps', async () => {
  const property = fc.asyncProperty(bodies, async (list) => {
    const key = await evaluationOf(list)
    assert.equal(await joined(store.reader, key), list.map(({ body }) => body).join('\n'))
  })
  await fc.assert(property, { numRuns: 25 })
})

test('pages of any size cover the whole without a gap or a repeat', async () => {
  const property = fc.asyncProperty(bodies, fc.integer({ min: 1, max: 400 }), async (list, limit) => {
    const key = await evaluationOf(list)
    const pages: string[] = []
    for (let after = EVERYTHING.after; ; ) {
      const { through, more } = await pageRange(store.reader, SCENARIOS, key, after, limit)
      const page = await joined(store.reader, key, { after, through })
      if (page !== '') pages.push(page)
      if (!more) break
      after = through
    }
    assert.equal(pages.length, Math.ceil(list.length / limit))
    assert.equal(pages.join('\n'), list.map(({ body }) => body).join('\n'))
  })
  await fc.assert(property, { numRuns: 25 })
})

test('a piece is bounded: no large answer is ever in memory as a whole', async () => {
  const list = Array.from({ length: 1000 }, (_, position) => ({
    position,
    body: `{"x":"${'y'.repeat(5000)}"}`,
  }))
  const key = await evaluationOf(list)
  const lengths: number[] = []
  for await (const piece of readPieces(store.reader, SCENARIOS, key, EVERYTHING, ','))
    lengths.push(piece.length)
  assert.ok(lengths.length > 15)
  assert.ok(Math.max(...lengths) <= 300_000, `a piece of ${Math.max(...lengths)} bytes`)
})

test('a piece is bounded where elements are suddenly larger than those before them', async () => {
  const list = Array.from({ length: 3000 }, (_, position) => ({
    position,
    body: `{"x":"${'y'.repeat(position < 1500 ? 10 : 10_000)}"}`,
  }))
  const key = await evaluationOf(list)
  const pieces: Uint8Array[] = []
  for await (const piece of readPieces(store.reader, SCENARIOS, key, EVERYTHING, ',')) pieces.push(piece)
  const largest = Math.max(...pieces.map(({ length }) => length))
  assert.ok(largest <= 300_000, `a piece of ${largest} bytes`)
  assert.equal(
    Buffer.concat(pieces.flatMap((piece) => [piece, Buffer.from(',')])).toString(),
    `${list.map(({ body }) => body).join(',')},`,
  )
})

test('a snapshot does not see what is written after it', async () => {
  const key = await evaluationOf([{ position: 0, body: '{"first":1}' }])
  await store.reader.snapshot('short', async (snapshot) => {
    assert.equal(await joined(snapshot, key), '{"first":1}')
    await store.writer.transaction((transaction) => addScenarios(transaction, key, [scenario('e', 1)]))
    assert.equal(await joined(snapshot, key), '{"first":1}')
    assert.notEqual(await joined(store.reader, key), '{"first":1}')
  })
})
