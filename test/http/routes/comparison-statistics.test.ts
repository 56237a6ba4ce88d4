// Property tests for comparisons: statistics, classes and rows, checked against a model with exact arithmetic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Comparison, PairedStatistics, RowClass } from '../../../src/schema/comparisons.ts'
import { studentQuantile } from '../../../src/store/statistics/beta-distribution.ts'
import { sizes } from '../../sizes.ts'
import {
  averageOf,
  type ClassifiedPair,
  classOf,
  countRepeated,
  evaluatorsOf,
  formRows,
  haveDifferentInputs,
  isChanged,
  isHigherBetter,
  joinByModel,
  labelsOf,
  type ModelEvaluation,
  type ModelJoin,
  type ModelPair,
  type ModelRow,
  pairedStatistics,
  pairRows,
  type RowScore,
  rowJson,
  rowScoreOf,
} from '../../support/brute-force-comparison.ts'
import { type ExactStatistics, exactMcNemarPValue } from '../../support/exact-statistics.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, schemaErrors, sendRequest } from '../../support/http.ts'
import { EVALUATIONS, JSON_TYPE, scenariosPath } from '../../support/write-requests.ts'

const RUNS = sizes.comparisons

const store = await createTestStore()
const service = await startTestService(store)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const headers = { authorization: key, 'content-type': JSON_TYPE }

const EXTREME_NUMBERS = ['1e300', '1.7e308', '-1.7e308', '5e-324', '-3e-320', '1e-200', '1e400']
const ORDINARY_NUMBERS = ['0', '1', '-1', '0.1', '0.3', '2.5', '1e16', '-1e16', '-0', '3', '1e-90']
const ordinaryNumber = fc.constantFrom(...ORDINARY_NUMBERS)
const anyNumber = fc.oneof(
  { weight: 6, arbitrary: ordinaryNumber },
  { weight: 1, arbitrary: fc.constantFrom(...EXTREME_NUMBERS) },
)
const boolean = fc.constantFrom('true', 'false')
const nonScoreValue = fc.constantFrom('"good"', 'null', '"1"', '[1]')

function result(name: string, value: fc.Arbitrary<string>) {
  const anyValue = fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: nonScoreValue })
  const isError = fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0)
  return fc.record({ name: fc.constant(name), value: anyValue, isError })
}
const mostly = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 8, arbitrary: fc.tuple(value) }, { weight: 1, arbitrary: fc.constant([]) })
/** Evaluators with verdicts only, ordinary numbers, any number including extremes, and a mix of verdicts and numbers. */
const results = fc
  .tuple(
    fc.array(result('verdict', boolean), { maxLength: 2, size: 'max' }),
    mostly(result('number', ordinaryNumber)),
    mostly(result('extreme', anyNumber)),
    mostly(result('mixed', fc.oneof(boolean, anyNumber))),
  )
  .map((lists) => lists.flat())

const amount = fc.option(
  fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: 0, max: 10, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(0, 1.5e308, -1.5e308, 1e-310) },
  ),
)
const row: fc.Arbitrary<Omit<ModelRow, 'id'>> = fc.record({
  hasGeneratedId: fc.nat(19).map((chance) => chance === 0),
  sample: fc.constantFrom(...new Array(20).fill(undefined), 'm', 'n', 'o'),
  inputs: fc
    .tuple(fc.constantFrom(1, 1, '1', 'a', 'b'), fc.constantFrom(undefined, undefined, undefined, 2, '2'))
    .map(([q, r]) => [{ name: 'q', value: q }, ...(r === undefined ? [] : [{ name: 'r', value: r }])]),
  output: fc.record({
    value: fc.constantFrom('"x"', '"y"', '1', 'null'),
    error: fc.constantFrom(null, null, null, 'Failed'),
    cost: amount.map((value) => value && Math.abs(value)),
    latency: amount,
  }),
  expected: fc.constantFrom(null, 'x', 'y'),
  results,
})
function rows(minLength: number, maxLength: number) {
  return fc.uniqueArray(fc.tuple(fc.nat(18), row), { selector: ([id]) => id, minLength, maxLength })
}

const evaluation = fc.record({
  hasGeneratedIds: fc.nat(9).map((chance) => chance === 0),
  declared: fc.array(
    fc.record(
      {
        name: fc.constantFrom('verdict', 'number', 'extreme', 'elsewhere'),
        higher_is_better: fc.boolean(),
        threshold: fc.constantFrom(0, 0.5),
      },
      { requiredKeys: ['name'] },
    ),
    { maxLength: 3 },
  ),
  rows: fc.oneof({ weight: 1, arbitrary: rows(0, 3) }, { weight: 4, arbitrary: rows(8, 16) }),
})

let evaluationCount = 0

async function storeEvaluations(
  generated: (typeof evaluation extends fc.Arbitrary<infer Of> ? Of : never)[],
) {
  const models: ModelEvaluation[] = []
  for (const { hasGeneratedIds, declared, rows } of generated) {
    evaluationCount += 1
    const id = `generated-${evaluationCount}`
    const modelRows = rows.map(([name, row]) => ({
      ...row,
      id: `s-${name}`,
      hasGeneratedId: hasGeneratedIds || row.hasGeneratedId === true,
    }))
    const model = { id, declared, rows: modelRows }
    const members = JSON.stringify({ id, evaluators: declared })
    assert.equal((await sendRequest(service.baseUrl, EVALUATIONS, headers, 'POST', members)).status, 201)
    const body = `[${model.rows.map(rowJson).join(',')}]`
    const response = await sendRequest(service.baseUrl, scenariosPath(id), headers, 'POST', body)
    assert.equal(response.status, 201, response.text)
    models.push(model)
  }
  return models
}

async function read(path: string, schema: string) {
  const response = await sendRequest(service.baseUrl, path, headers)
  assert.equal(response.status, 200, response.text)
  checkDocumented(path, response)
  const value = JSON.parse(response.text)
  assert.deepEqual(schemaErrors(schema, value), [])
  return value
}

const createSearch = (models: ModelEvaluation[], by: string) =>
  `${models.map(({ id }) => `evaluation=${id}`).join('&')}&by=${by}`
const joinKeys = fc.constantFrom('auto', 'auto', 'id', 'input', 'input.q', 'position')
/** A generated evaluation can lack the input. */
const hasInput = (model: ModelEvaluation, name: string) =>
  model.rows.some(({ inputs }) => inputs.some((input) => input.name === name))
const chooseJoinKey = (models: ModelEvaluation[], by: string) =>
  by === 'input.q' && !models.every((model) => hasInput(model, 'q')) ? 'input' : by

test('returns the statistics, classes and warnings of the in-memory model', async () => {
  const generated = fc.array(evaluation, { minLength: 2, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(generated, joinKeys, async (evaluations, requested) => {
      const models = await storeEvaluations(evaluations)
      const by = chooseJoinKey(models, requested)
      checkComparison(await read(`/api/comparisons?${createSearch(models, by)}`, 'Comparison'), models, by)
    }),
    { numRuns: RUNS },
  )
})

test('counts labels of matched rows, and neither more than 50 different texts nor long ones', async () => {
  const texts: Record<string, (row: number, run: number) => string> = {
    tone: (row, run) => (row < 20 + 20 * run ? 'curt' : 'friendly'),
    free: (row) => `text ${row}`,
    long: (row) => 'x'.repeat(row === 0 ? 201 : 200),
    'one side': (_, run) => (run === 0 ? 'label' : '1'),
  }
  const ids = ['labels-0', 'labels-1']
  for (const [run, id] of ids.entries()) {
    await sendRequest(service.baseUrl, EVALUATIONS, headers, 'POST', JSON.stringify({ id }))
    const rows = Array.from({ length: 60 }, (_, row) => ({
      id: `s${row}`,
      results: Object.entries(texts).map(([name, textOf]) => ({
        evaluator_config: name,
        result: { type: 'any', value: name === 'one side' && run === 1 ? 1 : textOf(row, run) },
      })),
    }))
    // The last row is only in the first evaluation.
    const body = JSON.stringify(rows.slice(0, rows.length - run))
    const response = await sendRequest(service.baseUrl, scenariosPath(id), headers, 'POST', body)
    assert.equal(response.status, 201, response.text)
  }
  const comparison: Comparison = await read(
    `/api/comparisons?${ids.map((id) => `evaluation=${id}`).join('&')}`,
    'Comparison',
  )
  const labels = Object.fromEntries(
    comparison.candidates[0]?.evaluators.map((one) => [one.name, one.labels]) ?? [],
  )
  assert.deepEqual(labels, {
    tone: [
      { label: 'friendly', base: 39, candidate: 19 },
      { label: 'curt', base: 20, candidate: 40 },
    ],
    free: null,
    long: null,
    'one side': null,
  })
})

function checkComparison(comparison: Comparison, models: ModelEvaluation[], by: string): void {
  const [baseline, ...candidates] = models as [ModelEvaluation, ...ModelEvaluation[]]
  const triedJoins = joinByModel(baseline, candidates, by)
  const finalJoins = triedJoins.at(-1) as ModelJoin[]
  assert.deepEqual(comparison.join, {
    by: finalJoins[0]?.by,
    asked: by,
    tried: triedJoins.map((joins) => ({
      by: joins[0]?.by,
      match_rate: Math.min(...joins.map(({ rate }) => rate)),
    })),
  })
  const names = [...new Set(models.flatMap(evaluatorsOf).values())]
  const expectedNames = [...new Set([...evaluatorsOf(baseline), ...names])]
  for (const [index, candidate] of candidates.entries()) {
    const actual = comparison.candidates[index] as Comparison['candidates'][number]
    const { pairs, rate } = finalJoins[index] as ModelJoin
    const rows = pairs.map(
      (pair) => [baseline.rows[pair.baseline], candidate.rows[pair.position]] as [ModelRow, ModelRow],
    )
    const repeats = pairs.map((pair) => repeatsOf(baseline, candidate, pair))
    const onlyBaseline = formRows(baseline).length - pairs.length
    const onlyCandidate = formRows(candidate).length - pairs.length
    assert.deepEqual(
      [actual.matched, actual.match_rate, actual.only_in_base, actual.only_in_candidate],
      [pairs.length, rate, onlyBaseline, onlyCandidate],
    )
    const hasDifferentRows =
      comparison.join.by === 'id' &&
      2 * rows.filter(([a, b]) => haveDifferentInputs(a, b)).length > pairs.length
    assert.equal(actual.has_different_rows, hasDifferentRows)
    assert.equal(actual.outputs_changed, rows.filter(([a, b]) => isChanged(a, b)).length)
    assert.equal(actual.answers_differ, rows.filter(([a, b]) => a.expected !== b.expected).length)
    assert.equal(actual.inputs_differ, rows.filter(([a, b]) => haveDifferentInputs(a, b)).length)
    assert.deepEqual(
      actual.evaluators.map(({ name }) => name),
      expectedNames,
    )
    for (const evaluator of actual.evaluators) {
      const isHigher = isHigherBetter(baseline, candidate, evaluator.name)
      assert.equal(evaluator.higher_is_better, isHigher)
      const classifiedPairs = repeats.map(([a, b]) =>
        classOf(rowScoreOf(a, evaluator.name), rowScoreOf(b, evaluator.name), isHigher),
      )
      assert.deepEqual(evaluator.labels, labelsOf(repeats, evaluator.name), evaluator.name)
      checkEvaluator(evaluator, classifiedPairs, onlyBaseline + onlyCandidate, !hasDifferentRows)
    }
    for (const column of ['cost', 'latency'] as const) {
      const numbers = repeats.map(([a, b]) => classOf(amountOf(a, column), amountOf(b, column), false))
      checkStatistics(actual[column], numbers, false, !hasDifferentRows)
    }
  }
  const codes = comparison.warnings.map(({ code, evaluation, evaluator, rows }) => [
    code,
    evaluation,
    evaluator,
    rows,
  ])
  assert.deepEqual(codes.map(String).sort(), computeWarnings(models, triedJoins, by).map(String).sort())
}

/** The repeats of both rows of a pair. */
function repeatsOf(
  baseline: ModelEvaluation,
  candidate: ModelEvaluation,
  { baseline: first, position }: ModelPair,
): [ModelRow[], ModelRow[]] {
  const find = (evaluation: ModelEvaluation, start: number) =>
    (formRows(evaluation).find((positions) => positions[0] === start) ?? []).map(
      (one) => evaluation.rows[one] as ModelRow,
    )
  return [find(baseline, first), find(candidate, position)]
}

function amountOf(repeats: ModelRow[], column: 'cost' | 'latency'): RowScore | undefined {
  return averageOf(
    repeats.flatMap(({ output }) => {
      const number = output[column]
      return number === null ? [] : [{ number, isVerdict: false }]
    }),
  )
}

function checkEvaluator(
  actual: Comparison['candidates'][number]['evaluators'][number],
  classifiedPairs: ClassifiedPair[],
  missing: number,
  hasOutcome: boolean,
): void {
  const count = (name: RowClass) => classifiedPairs.filter((one) => one.class === name).length
  const classes = {
    regressed: count('regressed'),
    improved: count('improved'),
    same: count('same'),
    unclear: count('unclear'),
    incomparable: count('incomparable'),
    missing,
  }
  assert.deepEqual(actual.classes, classes, actual.name)
  checkStatistics(actual, classifiedPairs, actual.higher_is_better, hasOutcome)
  const compared = classifiedPairs.filter((one) => one.baseline)
  const areVerdicts = compared.length > 0 && compared.every(({ baseline }) => baseline?.isVerdict)
  assert.equal(actual.is_verdict, areVerdicts)
  const { regressed, improved } = classes
  if (areVerdicts && !haveRepeats(compared)) {
    const expected = exactMcNemarPValue(regressed, improved)
    assertNear(actual.p_value, expected, 1, 'p')
    if (compared.length < MIN_ROWS) return
    const outcome = expected > 0.05 ? 'tied' : improved > regressed ? 'better' : 'worse'
    assert.equal(actual.outcome, hasOutcome ? outcome : null)
  } else assert.equal(actual.p_value, null)
}

function haveRepeats(compared: ClassifiedPair[]): boolean {
  return compared.some(({ baseline, candidate }) =>
    [baseline, candidate].some((score) => (score?.numbers.length ?? 0) > 1),
  )
}

/** Allows a relative error of 7e-12 of the summed magnitudes: statistics have 12 significant digits. */
function assertNear(actual: number | null, expected: number, size: number, label: string): void {
  if (!Number.isFinite(expected)) assert.equal(actual, null, label)
  else {
    assert.ok(actual !== null, `${label}: null for ${expected}`)
    // The absolute tolerance covers subnormal numbers.
    assert.ok(
      Math.abs(actual - expected) <= Math.max(7e-12 * size, 1e-322),
      `${label}: ${actual} for ${expected}`,
    )
  }
}

const MIN_ROWS = 6

function checkStatistics(
  actual: PairedStatistics,
  classifiedPairs: ClassifiedPair[],
  isHigher: boolean,
  hasOutcome: boolean,
): void {
  const compared = classifiedPairs.filter((one) => one.baseline && one.candidate)
  const expected = pairedStatistics(
    compared.map(({ baseline, candidate }) => ({ baseline: baseline?.mean, candidate: candidate?.mean })),
  )
  const { n, sizes } = expected
  assert.equal(actual.n, n)
  assertNear(actual.base_mean, expected.base_mean, sizes.baseline, 'base_mean')
  assertNear(actual.mean, expected.mean, sizes.candidate, 'mean')
  assertNear(actual.delta, expected.delta, sizes.delta, 'delta')
  if (n < MIN_ROWS) {
    const outcome = hasOutcome && n > 0 ? 'too-few' : null
    assert.deepEqual([actual.interval, actual.outcome, actual.detectable], [null, outcome, null])
    return
  }
  if (!hasOutcome) assert.equal(actual.outcome, null)
  else if (actual.interval) checkOutcome(actual, actual.interval, isHigher)
  if (compared.every(({ baseline }) => baseline?.isVerdict)) {
    const [low = -2, high = 2] = actual.interval ?? []
    assert.ok(low >= -1 && low <= (actual.delta ?? 2) && high >= (actual.delta ?? -2) && high <= 1)
    return
  }
  checkStudentInterval(actual, expected)
}

function checkOutcome({ outcome }: PairedStatistics, interval: number[], isHigher: boolean): void {
  const [low = 0, high = 0] = interval
  const side = low > 0 ? 1 : high < 0 ? -1 : 0
  assert.equal(outcome, side === 0 ? 'tied' : side > 0 === isHigher ? 'better' : 'worse')
}

function checkStudentInterval(actual: PairedStatistics, { n, delta, error, sizes }: ExactStatistics): void {
  const margin = studentQuantile(0.95, n - 1) * error
  const size = sizes.delta + Math.abs(margin)
  // Whether nearly equal differences count as equal depends on rounding errors.
  if (error <= 1e-11 * (sizes.baseline + sizes.candidate + sizes.delta)) return
  const isKnown = Number.isFinite(delta - margin) && Number.isFinite(delta + margin)
  assertNear(actual.interval?.[0] ?? null, isKnown ? delta - margin : Number.NaN, 10 * size, 'low')
  assertNear(actual.interval?.[1] ?? null, isKnown ? delta + margin : Number.NaN, 10 * size, 'high')
}

type WarningKey = [code: string, evaluation: string | null, evaluator: string | null, rows: number | null]

function computeWarnings(
  models: ModelEvaluation[],
  triedJoins: ModelJoin[][],
  requested: string,
): WarningKey[] {
  const [baseline, ...candidates] = models as [ModelEvaluation, ...ModelEvaluation[]]
  const finalJoins = triedJoins.at(-1) as ModelJoin[]
  const by = finalJoins[0]?.by ?? ''
  const warnings: WarningKey[] = []
  const add = (code: string, model: ModelEvaluation | null, rows: number) =>
    rows > 0 && warnings.push([code, model?.id ?? null, null, model && rows])
  add('joined-by-position', null, Number(by === 'position' && requested === 'auto'))
  for (const model of models) {
    add('rows-repeated', model, countRepeated(model, by))
    add('rows-grouped', model, countEqual(model))
    if (by === 'id') add('ids-generated', model, model.rows.filter((row) => row.hasGeneratedId).length)
  }
  for (const [index, candidate] of candidates.entries()) {
    const { pairs } = finalJoins[index] as ModelJoin
    add('rows-missing', candidate, formRows(baseline).length + formRows(candidate).length - 2 * pairs.length)
    const pairsWithDifferentAnswers = pairs.filter(
      (pair) => baseline.rows[pair.baseline]?.expected !== candidate.rows[pair.position]?.expected,
    )
    add('answers-differ', candidate, pairsWithDifferentAnswers.length)
    const pairsWithDifferentInputs = pairs.filter((pair) =>
      haveDifferentInputs(
        baseline.rows[pair.baseline] as ModelRow,
        candidate.rows[pair.position] as ModelRow,
      ),
    )
    if (by === 'id') add('inputs-differ', candidate, pairsWithDifferentInputs.length)
    if (by !== 'id' && requested !== 'position') {
      const key = by === 'position' ? 'input' : by
      add(
        'types-differ',
        candidate,
        pairRows(baseline, candidate, key, true).length - pairRows(baseline, candidate, key).length,
      )
    }
    const [inBaseline, inCandidate] = [evaluatorsOf(baseline), evaluatorsOf(candidate)]
    for (const name of new Set([...inBaseline, ...inCandidate]))
      if (!inBaseline.includes(name) || !inCandidate.includes(name))
        warnings.push(['evaluator-missing', candidate.id, name, null])
      else if (isDeclaredDifferently(baseline, candidate, name))
        warnings.push(['evaluator-differs', candidate.id, name, null])
  }
  return warnings
}

/** The repeats that are recognized by their inputs and answers. */
function countEqual(model: ModelEvaluation): number {
  const repeats = formRows(model).flatMap(([_first, ...others]) => others)
  return repeats.filter((position) => model.rows[position]?.sample === undefined).length
}

function isDeclaredDifferently(baseline: ModelEvaluation, candidate: ModelEvaluation, name: string): boolean {
  const [a, b] = [baseline, candidate].map(({ declared }) => declared.find((one) => one.name === name))
  if (!a || !b) return false
  return (a.higher_is_better ?? true) !== (b.higher_is_better ?? true) || a.threshold !== b.threshold
}

interface ReturnedRow {
  base: { id: string; position: number } | null
  candidates: {
    row: { id: string; position: number } | null
    class: RowClass
    delta: number | null
    output_changed: boolean | null
    score: { count: number; mean: number | null } | null
  }[]
}

test('returns every row in exactly one class', async () => {
  const generated = fc.array(evaluation, { minLength: 2, maxLength: 3 })
  const evaluators = fc.constantFrom('verdict', 'number', 'extreme', 'mixed')
  await fc.assert(
    fc.asyncProperty(generated, joinKeys, evaluators, async (evaluations, requested, name) => {
      const models = await storeEvaluations(evaluations)
      const by = chooseJoinKey(models, requested)
      const isKnown = models.some((model) => evaluatorsOf(model).includes(name))
      const path = `/api/comparisons/rows?${createSearch(models, by)}${isKnown ? `&on=${name}` : ''}`
      const allRows = await readWindows(path, 'all')
      const { on } = await read(path, 'ComparisonRows')
      checkRows(allRows, models, by, on)
      const classes = ['regressed', 'improved', 'same', 'unclear', 'incomparable', 'missing'] as const
      for (const name of classes) {
        const returnedRows = await readWindows(path, name)
        const expectedRows = allRows.filter(({ candidates }) => candidates[0]?.class === name)
        if (isSortedByChange(name)) {
          // Changes that are equal in 12 digits can differ in the next one, so their rows have no order here.
          const changes = returnedRows.map(changeOf)
          assert.deepEqual(
            changes,
            changes.toSorted((a, b) => (a === b ? 0 : b - a)),
            name,
          )
          assert.deepEqual(sortByPosition(returnedRows), sortByPosition(expectedRows), name)
        } else assert.deepEqual(returnedRows, expectedRows, name)
      }
    }),
    { numRuns: RUNS },
  )
})

const isSortedByChange = (name: RowClass) => ['regressed', 'improved', 'unclear'].includes(name)

/** A difference outside the range of a double counts as the largest. */
function changeOf({ candidates }: ReturnedRow): number {
  const delta = candidates[0]?.delta ?? null
  return delta === null ? Infinity : Math.abs(delta)
}

function sortByPosition(rows: ReturnedRow[]): ReturnedRow[] {
  return rows.toSorted((a, b) => (a.base?.position ?? 0) - (b.base?.position ?? 0))
}

async function readWindows(path: string, show: string): Promise<ReturnedRow[]> {
  const rows: ReturnedRow[] = []
  for (let offset = 0; ; offset += 5) {
    const window = await read(`${path}&show=${show}&offset=${offset}&limit=5`, 'ComparisonRows')
    assert.equal(window.offset, offset)
    assert.equal(window.rows.length, Math.max(0, Math.min(5, window.total - offset)))
    rows.push(...window.rows)
    if (window.rows.length < 5) {
      assert.equal(window.total, rows.length)
      return rows
    }
  }
}

function checkRows(all: ReturnedRow[], models: ModelEvaluation[], by: string, on: string | null): void {
  const [baseline, ...candidates] = models as [ModelEvaluation, ...ModelEvaluation[]]
  const finalJoins = joinByModel(baseline, candidates, by).at(-1) as ModelJoin[]
  const rows = formRows(baseline).map(([position = 0]) => ({
    base: position,
    candidates: candidates.map((candidate, index) => {
      const pair = finalJoins[index]?.pairs.find((one) => one.baseline === position)
      if (!pair) return MISSING_ROW
      const [before, after] = repeatsOf(baseline, candidate, pair)
      const [baselineScore, score] = [rowScoreOf(before, on ?? ''), rowScoreOf(after, on ?? '')]
      const isHigher = isHigherBetter(baseline, candidate, on ?? '')
      const { class: name, delta = null } = classOf(baselineScore, score, isHigher)
      return {
        row: pair.position,
        class: name,
        delta: Number.isFinite(delta) ? roundMeans(delta as number, before.length + after.length > 2) : null,
        output_changed: isChanged(before[0] as ModelRow, after[0] as ModelRow),
      }
    }),
  }))
  const pairedPositions = new Set(finalJoins[0]?.pairs.map(({ position }) => position))
  const firstPositions = candidates[0] ? formRows(candidates[0]).map(([first = 0]) => first) : []
  const unpairedPositions = firstPositions.filter((position) => !pairedPositions.has(position))
  assert.deepEqual(
    all.map((row) => ({
      base: row.base?.position ?? null,
      candidates: row.candidates.map(({ class: name, delta, output_changed, row }) => {
        return { row: row?.position ?? null, class: name, delta, output_changed }
      }),
    })),
    [
      ...rows,
      ...unpairedPositions.map((position) => ({
        base: null,
        candidates: candidates.map((_, index) =>
          index === 0 ? { ...MISSING_ROW, row: position } : MISSING_ROW,
        ),
      })),
    ],
  )
}

/** Means of repeats are rounded. JSON.stringify writes negative zero as 0. */
function roundMeans(delta: number, hasRepeats: boolean): number {
  return (hasRepeats ? Number(delta.toPrecision(12)) : delta) + 0
}

const MISSING_ROW = { row: null, class: 'missing', delta: null, output_changed: null }
