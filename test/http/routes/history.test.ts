// Tests GET /evaluations/{id}/evaluation_scenarios/{scenario_id}/history, checked against a search in all rows.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  MAX_EQUAL_INPUTS,
  MAX_HISTORY_EVALUATIONS,
  type ScenarioHistory,
} from '../../../src/schema/analysis/histories.ts'
import { parsedValue } from '../../../src/schema/validation/parsed-value.ts'
import { appendScenarios } from '../../../src/store/scenarios/append.ts'
import { scenarioRow } from '../../../src/store/scenarios/row.ts'
import { sizes } from '../../sizes.ts'
import { createTestKey } from '../../support/harness.ts'
import { checkProblem } from '../../support/http.ts'
import { fullOnly } from '../../support/options.ts'
import { EVALUATIONS, scenariosPath, VARIANTS } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const RUNS = sizes.generated_evaluations
const { store, send, sendOk } = await startWriteService()

const scenarioPath = (evaluation: string, id: string) =>
  `${scenariosPath(evaluation)}/${encodeURIComponent(id)}`
const historyPath = (evaluation: string, id: string) => `${scenarioPath(evaluation, id)}/history`

async function readHistory(evaluation: string, id: string, headers = {}): Promise<ScenarioHistory> {
  return JSON.parse((await sendOk('GET', historyPath(evaluation, id), undefined, headers)).text)
}

/** A row as it is written. The texts are JSON. */
interface WrittenRow {
  /** Undefined: the service generates it. */
  id?: string | undefined
  /** Undefined: no inputs. */
  input?: string | undefined
  /** FAILED: the application failed. */
  output: string
  results: string
}
/** A stored row. */
type StoredRow = WrittenRow & { id: string; hasGivenId: boolean }

const FAILED = '"failed"'

function rowText({ id, input, output, results }: WrittenRow): string {
  const inputs = input === undefined ? '[]' : `[{"name":"q","type":"json","value":${input}}]`
  const result =
    output === FAILED ? `{"type":"error","error":{"message":${output}}}` : `{"type":"text","value":${output}}`
  const outputs = `[{"result":${result},"cost":0.1,"latency":1},{"result":{"type":"x"},"cost":0.2}]`
  return `{${id === undefined ? '' : `"id":"${id}",`}"inputs":${inputs},"outputs":${outputs},"results":${results}}`
}

let createdCount = 0
const createId = (prefix: string) => {
  createdCount += 1
  return `${prefix}-${createdCount}`
}

async function createVariant(): Promise<string> {
  const id = createId('variant')
  await sendOk('POST', VARIANTS, { id })
  return id
}

interface StoredEvaluation {
  id: string
  variant: string | null
  created_at: string
  rows: StoredRow[]
}

async function createEvaluation(
  variant: string | null,
  rows: WrittenRow[] = [],
  created_at = '2026-10-01T00:00:00.000Z',
): Promise<StoredEvaluation> {
  const id = createId('evaluation')
  await sendOk('POST', EVALUATIONS, { id, name: `Name of ${id}`, variant_id: variant, created_at })
  await sendOk('POST', scenariosPath(id), `[${rows.map(rowText).join()}]`)
  const hasGeneratedIds = rows.some((row) => row.id === undefined)
  const stored: { id?: string | undefined }[] = hasGeneratedIds
    ? JSON.parse((await sendOk('GET', scenariosPath(id))).text)
    : rows
  const storedRows = rows.map((row, index) => ({
    ...row,
    id: stored[index]?.id ?? '',
    hasGivenId: row.id !== undefined,
  }))
  return { id, variant, created_at, rows: storedRows }
}

/** Computes the text of a history. `evaluations` are the newest ones of the variant, the newest first. */
function expectedHistory(own: StoredEvaluation, target: StoredRow, evaluations: StoredEvaluation[]): string {
  const nth = ({ rows }: StoredEvaluation, row: StoredRow) =>
    rows.filter(({ input }) => input !== undefined && input === row.input).indexOf(row)
  const found = evaluations.flatMap((evaluation) => {
    const byId = evaluation.rows.find((row) =>
      evaluation === own ? row === target : row.hasGivenId && target.hasGivenId && row.id === target.id,
    )
    if (byId) return [{ evaluation, row: byId, matched_by: 'id' }]
    const byInput = evaluation.rows.find(
      (row) =>
        row.input !== undefined && row.input === target.input && nth(evaluation, row) === nth(own, target),
    )
    if (!byInput || (byInput.hasGivenId && target.hasGivenId)) return []
    return [{ evaluation, row: byInput, matched_by: 'input' }]
  })
  const rows = found.map(({ evaluation, row, matched_by }, index) => {
    const older = found[index + 1]?.row
    const changed = older ? older.output !== row.output : null
    return `{"evaluation_id":"${evaluation.id}","name":"Name of ${evaluation.id}","revision":null,"created_at":"${evaluation.created_at}","scenario_id":"${row.id}","matched_by":"${matched_by}","results":${row.results},"cost":0.3,"latency":1,"output_failed":${row.output === FAILED},"output_changed":${changed}}`
  })
  return `{"evaluation_id":"${own.id}","scenario_id":"${target.id}","variant_id":${JSON.stringify(own.variant)},"evaluation_count":${evaluations.length},"rows":[${rows.join()}]}`
}

/** Results whose texts must not change: digits, order, repeated evaluators, errors, unknown types. */
const RESULTS = [
  '[]',
  '[{"evaluator_config":"a","result":{"type":"number","value":1.10}}]',
  '[{"evaluator_config":"a","result":{"type":"number","value":12345678901234567890.5e3}},{"evaluator_config":"a","result":{"type":"bool","value":true}}]',
  '[{"evaluator_config":"\\"]}","result":{"type":"error","value":null,"error":{"message":"x \\\\\\" ü","stacktrace":"at f"}}}]',
]

const generatedRow = fc.record({
  id: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined }),
  input: fc.option(fc.constantFrom('"x"', '"y"', '1', '{"a":1}'), { nil: undefined }),
  output: fc.constantFrom('"one"', '"two"', '1', FAILED),
  results: fc.constantFrom(...RESULTS),
})
const generatedRows = fc.uniqueArray(generatedRow, {
  maxLength: 8,
  selector: ({ id }) => id ?? Symbol('generated'),
})
const generatedEvaluation = fc.record({
  rows: generatedRows,
  variant: fc.constantFrom(0, 0, 0, 1, null),
  created_at: fc.constantFrom('2026-10-01T00:00:00.000Z', '2026-10-02T00:00:00.000Z'),
  /** Which rows are deleted and which are replaced by another row, as fractions of the list. */
  deleted: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 2 }),
  replaced: fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), generatedRow), {
    maxLength: 2,
  }),
})

test(`returns the exact text of the computed histories of ${RUNS} generated variants`, async () => {
  const evaluations = fc.array(generatedEvaluation, { minLength: 1, maxLength: 7 })
  await fc.assert(
    fc.asyncProperty(evaluations, async (generated) => {
      const variants = [await createVariant(), await createVariant()]
      const created: StoredEvaluation[] = []
      for (const { rows, variant, created_at, deleted, replaced } of generated) {
        const variantId = variant === null ? null : (variants[variant] ?? null)
        const evaluation = await createEvaluation(variantId, rows, created_at)
        created.push(evaluation)
        for (const fraction of deleted) {
          const [row] = evaluation.rows.splice(Math.floor(fraction * evaluation.rows.length), 1)
          if (row) await sendOk('DELETE', scenarioPath(evaluation.id, row.id))
        }
        for (const [fraction, { input, output, results }] of replaced) {
          const row = evaluation.rows[Math.floor(fraction * evaluation.rows.length)]
          if (!row) continue
          Object.assign(row, { input, output, results })
          await sendOk('PUT', scenarioPath(evaluation.id, row.id), rowText({ input, output, results }))
        }
      }
      const keys = new Map(
        (await store.reader.all<{ id: string; key: number }>('SELECT id, key FROM evaluation')).map(
          ({ id, key }) => [id, key],
        ),
      )
      const keyOf = ({ id }: StoredEvaluation) => keys.get(id) ?? 0
      const newestFirst = created.toSorted(
        (a, b) => b.created_at.localeCompare(a.created_at) || keyOf(b) - keyOf(a),
      )
      for (const own of created) {
        const searched =
          own.variant === null ? [own] : newestFirst.filter(({ variant }) => variant === own.variant)
        for (const row of own.rows) {
          const { text } = await sendOk('GET', historyPath(own.id, row.id))
          assert.equal(text, expectedHistory(own, row, searched))
        }
      }
    }),
    { numRuns: RUNS },
  )
})

const row = (row: Partial<WrittenRow> = {}): WrittenRow => ({
  id: 'a',
  input: '"x"',
  output: '"one"',
  results: '[]',
  ...row,
})

test(`searches the newest ${MAX_HISTORY_EVALUATIONS} evaluations of the variant`, async () => {
  const variant = await createVariant()
  const ids: string[] = []
  for (let index = 0; index < MAX_HISTORY_EVALUATIONS + 3; index += 1) {
    const created_at = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString()
    ids.unshift((await createEvaluation(variant, index % 2 === 0 ? [row()] : [], created_at)).id)
  }
  const newest = await readHistory(ids[0] ?? '', 'a')
  assert.equal(newest.evaluation_count, MAX_HISTORY_EVALUATIONS)
  const listed = newest.rows.map(({ evaluation_id }) => evaluation_id)
  assert.deepEqual(
    listed,
    ids.slice(0, MAX_HISTORY_EVALUATIONS).filter((_, index) => index % 2 === 0),
  )
  assert.equal(newest.rows.at(-1)?.output_changed, null)
  // The oldest evaluation is not one of them, and has the same history.
  assert.deepEqual(await readHistory(ids.at(-1) ?? '', 'a'), { ...newest, evaluation_id: ids.at(-1) })
})

const match = ({ rows }: ScenarioHistory) =>
  rows.map(({ evaluation_id, scenario_id, matched_by }) => [evaluation_id, scenario_id, matched_by])

test(`matches by inputs up to the row number ${MAX_EQUAL_INPUTS} with the same inputs`, async () => {
  const variant = await createVariant()
  const rows = Array.from({ length: MAX_EQUAL_INPUTS + 2 }, () => row({ id: undefined }))
  const named = (id: string) => rows.with(-1, row({ id }))
  const evaluations = [
    await createEvaluation(variant, named('a'), '2026-10-03T00:00:00.000Z'),
    await createEvaluation(variant, named('a'), '2026-10-02T00:00:00.000Z'),
    await createEvaluation(variant, rows, '2026-10-01T00:00:00.000Z'),
  ] as const
  const [own] = evaluations
  const idOf = ({ rows }: StoredEvaluation, index: number) => rows.at(index)?.id ?? ''
  const lastMatched = MAX_EQUAL_INPUTS - 1
  assert.deepEqual(
    match(await readHistory(own.id, idOf(own, lastMatched))),
    evaluations.map((evaluation) => [
      evaluation.id,
      idOf(evaluation, lastMatched),
      evaluation === own ? 'id' : 'input',
    ]),
  )
  const firstUnmatched = idOf(own, lastMatched + 1)
  assert.deepEqual(match(await readHistory(own.id, firstUnmatched)), [[own.id, firstUnmatched, 'id']])
  assert.deepEqual(
    match(await readHistory(own.id, 'a')),
    evaluations.slice(0, 2).map(({ id }) => [id, 'a', 'id']),
  )
})

test('does not match a given id with an equal id that an importer made from a position', async () => {
  const variant = await createVariant()
  const own = await createEvaluation(variant, [row({ id: '1' })], '2026-10-02T00:00:00.000Z')
  const id = createId('evaluation')
  const body = { id, variant_id: variant, created_at: '2026-10-01T00:00:00.000Z' }
  await sendOk('POST', EVALUATIONS, body)
  await store.writer.transaction(async (transaction) => {
    const { key } = (await transaction.get<{ key: number }>(
      'SELECT key FROM evaluation WHERE id = ?',
      id,
    )) as { key: number }
    const inputs = (value: string) => [{ name: 'q', type: 'json', value }]
    const rows = ['y', 'x'].map((value, index) =>
      scenarioRow(id, parsedValue({ id: String(index + 1), inputs: inputs(value) }), null, true),
    )
    await appendScenarios(transaction, key, [rows])
  })
  assert.deepEqual(match(await readHistory(own.id, '1')), [
    [own.id, '1', 'id'],
    [id, '2', 'input'],
  ])
  assert.deepEqual(match(await readHistory(id, '1')), [[id, '1', 'id']])
  assert.deepEqual(match(await readHistory(id, '2')), [
    [own.id, '1', 'input'],
    [id, '2', 'id'],
  ])
})

test('returns exact results next to outputs of several megabytes', {
  skip: fullOnly('stores large outputs'),
}, async () => {
  const variant = await createVariant()
  const results = RESULTS[2] ?? ''
  const evaluations: StoredEvaluation[] = []
  for (let index = 0; index < 4; index += 1) {
    const output = JSON.stringify(`${index % 2}"results":[`.repeat(250_000 * (index % 3)))
    evaluations.unshift(
      await createEvaluation(variant, [row({ output, results })], `2026-10-0${index + 1}T00:00:00.000Z`),
    )
  }
  const [own] = evaluations
  const [target] = own?.rows ?? []
  assert.ok(own && target)
  const { text } = await sendOk('GET', historyPath(own.id, target.id))
  assert.equal(text, expectedHistory(own, target, evaluations))
})

test('does not wait for queries, of which one project can have 200 at the same time', async () => {
  const { id } = await createEvaluation(await createVariant(), [row()])
  const responses = await Promise.all(Array.from({ length: 201 }, () => send('GET', historyPath(id, 'a'))))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
})

test('returns an ETag that changes with each searched evaluation and with their set only', async () => {
  const variant = await createVariant()
  const [own, other, unrelated] = [
    await createEvaluation(variant, [row()]),
    await createEvaluation(variant, [row(), row({ id: 'b' })]),
    await createEvaluation(null, [row()]),
  ]
  const path = historyPath(own.id, 'a')
  const readEtag = async () => String((await sendOk('GET', path)).headers.etag)
  let etag = await readEtag()
  await sendOk('PATCH', `${EVALUATIONS}/${unrelated.id}`, { name: 'x' })
  assert.equal(await readEtag(), etag)
  const changes: [method: string, path: string, body?: object][] = [
    ['PATCH', `${EVALUATIONS}/${other.id}`, { name: 'x' }],
    ['PATCH', scenarioPath(other.id, 'b'), { note: 'x' }],
    ['DELETE', scenarioPath(other.id, 'b')],
    ['PATCH', `${EVALUATIONS}/${own.id}`, { name: 'x' }],
    ['PATCH', `${EVALUATIONS}/${unrelated.id}`, { variant_id: variant }],
    ['PATCH', `${EVALUATIONS}/${unrelated.id}`, { variant_id: null }],
    ['POST', EVALUATIONS, { id: createId('evaluation'), variant_id: variant }],
    ['DELETE', `${EVALUATIONS}/${other.id}`],
  ]
  for (const [method, changedPath, body] of changes) {
    await sendOk(method, changedPath, body)
    const changedEtag = await readEtag()
    assert.notEqual(changedEtag, etag, `${method} ${changedPath}`)
    assert.equal(await readEtag(), changedEtag)
    etag = changedEtag
  }
})

async function createRestrictedKey(confined_to: object): Promise<string> {
  return JSON.parse((await sendOk('POST', '/api/shares', { confined_to })).text).key
}

test('a restricted key searches only the evaluations that it can read, and notices nothing of others', async () => {
  const variant = await createVariant()
  const [own, shared, hidden] = [
    await createEvaluation(variant, [row()], '2026-10-01T00:00:00.000Z'),
    await createEvaluation(variant, [row({ output: '"two"' })], '2026-10-02T00:00:00.000Z'),
    await createEvaluation(variant, [row({ output: '"three"' })], '2026-10-03T00:00:00.000Z'),
  ]
  const otherVariant = await createEvaluation(await createVariant(), [row()], '2026-10-04T00:00:00.000Z')
  const cases: [confined_to: object, searched: StoredEvaluation[]][] = [
    [{ evaluation_id: own.id }, [own]],
    [{ comparison: [own.id, shared.id] }, [shared, own]],
    [{ comparison: [otherVariant.id, own.id] }, [own]],
    [{ comparison: [shared.id, otherVariant.id, own.id] }, [shared, own]],
  ]
  const target = own.rows[0] ?? assert.fail()
  const path = historyPath(own.id, target.id)
  const etags: unknown[] = []
  for (const isRepeated of [false, true]) {
    for (const [index, [confined_to, searched]] of cases.entries()) {
      const authorization = await createRestrictedKey(confined_to)
      const { text, headers } = await sendOk('GET', path, undefined, { authorization })
      assert.equal(text, expectedHistory(own, target, searched))
      assert.ok(!text.includes(hidden.id))
      if (isRepeated) assert.equal(headers.etag, etags[index])
      etags.push(headers.etag)
    }
    // More evaluations than are searched, all newer.
    await sendOk('PATCH', `${EVALUATIONS}/${hidden.id}`, { name: 'changed' })
    if (!isRepeated)
      for (let index = 0; index < MAX_HISTORY_EVALUATIONS; index += 1)
        await sendOk('POST', EVALUATIONS, { id: createId('evaluation'), variant_id: variant })
  }
  assert.equal((await readHistory(own.id, 'a')).evaluation_count, MAX_HISTORY_EVALUATIONS)
  const variantKey = await createRestrictedKey({ variant_id: variant })
  checkProblem(await send('GET', path, undefined, { authorization: variantKey }), 403, 'access-denied')
})

test('does not search evaluations of another project with the same variant id', async () => {
  const variant = await createVariant()
  const own = await createEvaluation(variant, [row()])
  const { key: authorization } = await createTestKey(store, { project: 'other', scopes: ['read', 'write'] })
  await sendOk('POST', VARIANTS, { id: variant }, { authorization })
  const id = createId('evaluation')
  await sendOk('POST', EVALUATIONS, { id, variant_id: variant }, { authorization })
  await sendOk('POST', scenariosPath(id), `[${rowText(row())}]`, { authorization })
  const { evaluation_count, rows } = await readHistory(own.id, 'a')
  assert.deepEqual([evaluation_count, rows.map(({ evaluation_id }) => evaluation_id)], [1, [own.id]])
  checkProblem(
    await send('GET', historyPath(own.id, 'a'), undefined, { authorization }),
    403,
    'access-denied',
  )
})

describe('rejected requests', async () => {
  const { id } = await createEvaluation(null, [row()])
  const cases: [path: string, status: number, code: string][] = [
    [historyPath('none', 'a'), 404, 'evaluation-not-found'],
    [historyPath(id, 'none'), 404, 'scenario-not-found'],
    [historyPath(id, '\u0000'), 404, 'scenario-not-found'],
    [`${historyPath(id, 'a')}?limit=1`, 400, 'invalid-request'],
  ]
  for (const [path, status, code] of cases)
    test(`returns ${status} for ${path}`, async () => {
      checkProblem(await send('GET', path, undefined, { 'if-none-match': '*' }), status, code)
    })
})
