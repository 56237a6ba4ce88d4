// Tests reading the elements of a response: complete, in order, in chunks of limited size, and from one snapshot.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsedValue } from '../../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../../src/store/access/projects.ts'
import { createEvaluation } from '../../../src/store/evaluations/evaluations.ts'
import {
  chunkStatement,
  FULL_RANGE,
  getPageRange,
  readElementChunks,
} from '../../../src/store/reads/elements.ts'
import { SCENARIOS } from '../../../src/store/scenarios/scenarios.ts'
import type { Connection } from '../../../src/store/store.ts'
import { addScenarios, scenario } from '../../support/corpus.ts'
import { createTestStore } from '../../support/harness.ts'

const store = await createTestStore()
let evaluationCount = 0
/** The target size of a chunk and some separators. */
const maxChunkBytes = store.reader.sql.chunkBytes * 1.15

/** Adds an evaluation with these bodies. */
async function addEvaluationWith(bodies: { position: number; body: string }[]): Promise<number> {
  evaluationCount += 1
  const id = `e${evaluationCount}`
  return store.writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const key = await createEvaluation(transaction, project, parsedValue({ id }))
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
    const nextPosition = (bodies.at(-1)?.position ?? -1) + 1
    await transaction.run('UPDATE evaluation SET next_position = ? WHERE key = ?', nextPosition, key)
    return key
  })
}

async function readJoined(
  connection: Connection,
  key: number,
  range = FULL_RANGE,
  separator = '\n',
): Promise<string> {
  const chunks: string[] = []
  for await (const chunk of readElementChunks(connection, SCENARIOS, key, range, separator)) {
    chunks.push(Buffer.from(chunk).toString())
  }
  return chunks.join(separator)
}

const sizes = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 2, max: 3000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 200_000, max: 600_000 }) },
)
const bodies = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 40 }), size: sizes }), { maxLength: 300 })
  .map((elements) => {
    let position = -1
    return elements.map(({ gap, size }, index) => {
      position += gap
      return { position, body: `{"i":${index},"é":"${'x'.repeat(size)}"}` }
    })
  })

test('returns every element once and in order, for any sizes and gaps', async () => {
  const property = fc.asyncProperty(bodies, async (elements) => {
    const key = await addEvaluationWith(elements)
    assert.equal(await readJoined(store.reader, key), elements.map(({ body }) => body).join('\n'))
  })
  await fc.assert(property, { numRuns: 25 })
})

test('returns every element once over pages of any size', async () => {
  const property = fc.asyncProperty(bodies, fc.integer({ min: 1, max: 400 }), async (elements, limit) => {
    const key = await addEvaluationWith(elements)
    const pages: string[] = []
    for (let after = FULL_RANGE.after; ; ) {
      const { through, hasMore } = await getPageRange(store.reader, SCENARIOS, key, after, limit)
      const page = await readJoined(store.reader, key, { after, through })
      if (page !== '') pages.push(page)
      if (!hasMore) break
      after = through
    }
    assert.equal(pages.length, Math.ceil(elements.length / limit))
    assert.equal(pages.join('\n'), elements.map(({ body }) => body).join('\n'))
  })
  await fc.assert(property, { numRuns: 25 })
})

test('limits the size of a chunk', async () => {
  const elements = Array.from({ length: 1000 }, (_, position) => ({
    position,
    body: `{"x":"${'y'.repeat(5000)}"}`,
  }))
  const key = await addEvaluationWith(elements)
  const lengths: number[] = []
  for await (const chunk of readElementChunks(store.reader, SCENARIOS, key, FULL_RANGE, ','))
    lengths.push(chunk.length)
  const totalBytes = lengths.reduce((sum, length) => sum + length, 0)
  assert.ok(lengths.length >= totalBytes / maxChunkBytes)
  assert.ok(lengths.length <= 2 + (2 * totalBytes) / maxChunkBytes, `${lengths.length} chunks`)
  assert.ok(Math.max(...lengths) <= maxChunkBytes, `a chunk of ${Math.max(...lengths)} bytes`)
})

test('limits the size of a chunk when elements are suddenly larger than the previous ones', async () => {
  const elements = Array.from({ length: 3000 }, (_, position) => ({
    position,
    body: `{"x":"${'y'.repeat(position < 1500 ? 10 : 10_000)}"}`,
  }))
  const key = await addEvaluationWith(elements)
  const chunks: Uint8Array[] = []
  for await (const chunk of readElementChunks(store.reader, SCENARIOS, key, FULL_RANGE, ','))
    chunks.push(chunk)
  const largestBytes = Math.max(...chunks.map(({ length }) => length))
  assert.ok(largestBytes <= maxChunkBytes, `a chunk of ${largestBytes} bytes`)
  assert.equal(
    Buffer.concat(chunks.flatMap((chunk) => [chunk, Buffer.from(',')])).toString(),
    `${elements.map(({ body }) => body).join(',')},`,
  )
})

test('finds the elements after a gap of thousands of positions', async () => {
  const positions = [0, 1, 5000, 5001, 900_000]
  const key = await addEvaluationWith(positions.map((position) => ({ position, body: `{"i":${position}}` })))
  assert.equal(
    await readJoined(store.reader, key),
    positions.map((position) => `{"i":${position}}`).join('\n'),
  )
  const range = { after: 1, through: 5000 }
  assert.equal(await readJoined(store.reader, key, range), '{"i":5000}')
})

test('reads no chunk that is larger than its limit', {
  skip: !store.reader.sql.canLimitElements && 'this engine measures chunks before it reads them',
}, async () => {
  const body = `{"x":"${'y'.repeat(1000)}"}`
  const largeBody = `{"x":"${'y'.repeat(100_000)}"}`
  const key = await addEvaluationWith([
    { position: 0, body },
    { position: 1, body },
    { position: 2, body: largeBody },
  ])
  const join = (maxBytes: number, through: number) =>
    store.reader.joinElementsUpTo(maxBytes, chunkStatement(SCENARIOS), ',', key, -1, through)
  const joined = `${body},${body}`
  assert.equal(Buffer.from((await join(joined.length + 1, 1)) ?? []).toString(), joined)
  assert.equal(await join(joined.length - 1, 1), undefined)
  assert.equal(await join(50_000, 2), undefined)
  // The limit applies to one statement only.
  assert.equal(await readJoined(store.reader, key, { after: 1, through: 2 }), largeBody)
  const withoutLimit = await store.reader.joinElements(chunkStatement(SCENARIOS), ',', key, -1, 2)
  assert.equal(withoutLimit.length, joined.length + 1 + largeBody.length)
})

test('does not see later writes in a snapshot', async () => {
  const key = await addEvaluationWith([{ position: 0, body: '{"first":1}' }])
  await store.reader.snapshot('short', async (snapshot) => {
    assert.equal(await readJoined(snapshot, key), '{"first":1}')
    await store.writer.transaction((transaction) => addScenarios(transaction, key, [scenario('e', 1)]))
    assert.equal(await readJoined(snapshot, key), '{"first":1}')
    assert.notEqual(await readJoined(store.reader, key), '{"first":1}')
  })
})
