// Tests the query plans of lists in a large store: which index finds the entries of a page, and whether they must be
// sorted. Reading and sorting only the entries that match a selective filter is allowed; reading the whole list is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIST_ORDERS, NEWEST_FIRST, parseListOrder } from '../../src/schema/filters/orders.ts'
import { parseListFilters } from '../../src/schema/filters/parse-filters.ts'
import { Connection, type Read } from '../../src/store/dialect/dialect.ts'
import { EVALUATIONS } from '../../src/store/evaluations/evaluations.ts'
import { type ListPosition, type ListTable, readFullList, readList } from '../../src/store/reads/lists.ts'
import { VARIANTS } from '../../src/store/variants/variants.ts'
import { query } from '../postgres/cluster.ts'
import { createTestStore, ENGINE } from '../support/harness.ts'

const { reader, writer, url } = await createTestStore()

const COUNT = 20_000
const NUMBERS = `WITH RECURSIVE numbers (number) AS
  (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${COUNT})`

/** Every name occurs 200 times. Few evaluations are running, have tags or a rare source. */
await writer.transaction(async (transaction) => {
  await transaction.run(`INSERT INTO project (name, created_at) VALUES ('p', '')`)
  // The orders of the lists differ.
  const mixed = `((number * 7919) % ${COUNT})`
  const members = `1, 'id ' || number, 'Name ' || (${mixed} % 100), CAST(1000000 + number AS text),
    CAST(1000000 + ${mixed} AS text), 'v'`
  await transaction.run(
    `INSERT INTO variant (project, id, name, created_at, updated_at, version) ${NUMBERS} SELECT ${members} FROM numbers`,
  )
  await transaction.run(
    `INSERT INTO evaluation
       (project, id, name, created_at, updated_at, version, variant_id, family, revision, source, status, tags)
     ${NUMBERS} SELECT ${members}, 'variant ' || (${mixed} % 500),
       CASE WHEN number % 10 = 1 THEN 'family ' || (number % 2000) END, number % 5,
       CASE WHEN number % 1000 = 1 THEN 'rare' ELSE 'common' END,
       CASE WHEN number % 1000 = 2 THEN 'running' ELSE 'finished' END,
       CASE WHEN number % 1000 = 3 THEN '["rare"]' ELSE '[]' END FROM numbers`,
  )
})
if (ENGINE === 'postgres') await query(url, 'ANALYZE')

/** Runs statements, and collects the lines of their plans. */
class ExplainingConnection extends Connection {
  readonly sql = reader.sql
  readonly steps: string[] = []
  readonly #connection: Connection

  constructor(connection: Connection) {
    super()
    this.#connection = connection
  }

  async read(read: Read): Promise<unknown> {
    const explain = ENGINE === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
    const values = read.values as never[]
    const rows = await this.#connection.all<Record<string, string>>(`${explain} ${read.statement}`, ...values)
    this.steps.push(...rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? ''))
    return this.#connection.read(read)
  }
}

const SORTS = { sqlite: /TEMP B-TREE/, postgres: /Sort/ }[ENGINE]

/** The indexes of a table that the steps use. */
function indexesIn(steps: string[], table: string): string[] {
  const names = steps.join('\n').match(new RegExp(`\\b${table}_by_\\w+`, 'g')) ?? []
  return [...new Set(names)]
}

interface PlannedList {
  list: ListTable<never>
  filter: string
  order: string
  after?: ListPosition
}

async function explainList({ list, filter, order, after }: PlannedList) {
  const params = Map.groupBy(new URLSearchParams(filter), ([name]) => name)
  const values = Object.fromEntries(
    [...params].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]),
  )
  const filters = parseListFilters(list.filters, values)
  const selection = { list, project: 1, filters, order: parseListOrder(order) ?? NEWEST_FIRST }
  return reader.snapshot(filters.length > 0 ? 'query' : 'short', async (snapshot) => {
    const connection = new ExplainingConnection(snapshot)
    const { elements } = await readList(connection, selection, after, 10)
    return { steps: connection.steps, elements }
  })
}

const INDEX_OF_ORDER: Record<string, string> = { created_at: 'time', updated_at: 'update', name: 'name' }
/** The place of an entry in the middle of the list. */
const MIDDLE: Record<string, string> = { created_at: '1010000', updated_at: '1010000', name: 'Name 50' }

for (const list of [EVALUATIONS, VARIANTS] as ListTable<never>[]) {
  for (const order of LIST_ORDERS) {
    const [by = '', direction] = order.split('.')
    const range = by === 'name' ? [] : [`${by}=${direction === 'asc' ? 'gte' : 'lt'}.x`]
    for (const filter of ['', ...range]) {
      test(`reads a page of ${list.table}s by ${order}${filter && ` with ${filter}`} in the order of its index`, async () => {
        const start = MIDDLE[by] ?? ''
        // The filters of the API accept only times.
        const bound = filter.replace('x', '2026-01-01')
        for (const after of [undefined, { sort_value: start, key: COUNT / 2 }]) {
          const { steps } = await explainList({ list, filter: bound, order, ...(after && { after }) })
          const text = steps.join('\n')
          assert.deepEqual(indexesIn(steps, list.table), [`${list.table}_by_${INDEX_OF_ORDER[by]}`], text)
          assert.doesNotMatch(text, SORTS)
          // Each part of a page starts at its place in the index.
          if (after)
            assert.doesNotMatch(
              text,
              ENGINE === 'sqlite' ? /\(project=\?\)/ : /Filter: \((?!variant = variant.key)/,
            )
        }
      })
    }
  }
}

const NEWEST = ['created_at.desc', 'created_at.asc']
const FILTER_PLANS: [filter: string, index: string, orders: string[]][] = [
  ['variant_id=eq.variant 7', 'variant', LIST_ORDERS],
  ['variant_id=eq.unknown', 'variant', LIST_ORDERS],
  ['family=eq.family 1', 'family', LIST_ORDERS],
  ['family=in.(family 1,family 11)', 'family', LIST_ORDERS],
  ['family=eq.unknown', 'family', LIST_ORDERS],
  ['status=eq.running', 'status', LIST_ORDERS],
  ['status=in.(running,failed)', 'status', LIST_ORDERS],
  ['status=ne.finished', 'status', LIST_ORDERS],
  ['tags=has.rare', 'tag', NEWEST],
  ['source=eq.rare', 'source', NEWEST],
  ['name=eq.Name 7', 'name', LIST_ORDERS],
  ['name=eq.unknown', 'name', LIST_ORDERS],
]

for (const [filter, index, orders] of FILTER_PLANS) {
  test(`finds the evaluations with ${filter} by index`, async () => {
    for (const order of orders) {
      const { steps, elements } = await explainList({ list: EVALUATIONS as ListTable<never>, filter, order })
      const indexes = indexesIn(steps, 'evaluation')
      // PostgreSQL has statistics, and can use another index that starts with the same columns.
      const isFound = indexes.includes(`evaluation_by_${index}`) || indexes.includes('evaluation_by_revision')
      assert.ok(isFound && indexes.length === 1, `${order}: ${steps.join('\n')}`)
      assert.equal(elements.length > 0, !filter.includes('unknown'))
      // Newest first, the entries of one value are already sorted.
      const isSorted = /eq\.(variant|family|running|rare)|has/.test(filter) && order.startsWith('created_at')
      if (isSorted) assert.doesNotMatch(steps.join('\n'), SORTS, order)
    }
  })
}

test('reads all entries of a list in parts, each of them once', async () => {
  for (const order of ['name.asc', 'name.desc', 'created_at.desc', 'updated_at.asc']) {
    const selection = {
      list: EVALUATIONS,
      project: 1,
      filters: [],
      order: parseListOrder(order) ?? NEWEST_FIRST,
    }
    const ids = new Set<string>()
    let chunkCount = 0
    await reader.snapshot('long', async (snapshot) => {
      for await (const chunk of readFullList(snapshot, selection, undefined, ',')) {
        chunkCount += 1
        for (const { id } of JSON.parse(`[${Buffer.from(chunk)}]`)) ids.add(id)
      }
    })
    assert.equal(ids.size, COUNT, order)
    assert.equal(chunkCount, COUNT / 500)
  }
})
