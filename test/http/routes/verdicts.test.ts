// Tests that comparisons draw the right conclusion from few rows, from repeated rows and from different rows.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Comparison } from '../../../src/schema/comparisons.ts'
import type { Evaluation } from '../../../src/schema/evaluations.ts'
import type { EvaluationSummary } from '../../../src/schema/summaries.ts'
import { EVALUATIONS, revisionBody, revisionsPath, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { sendOk } = await startWriteService()

type Score = boolean | number
interface Scenario {
  id?: string
  question?: string
  score: Score
  sample?: string
  repetition?: number
}

let evaluationCount = 0

/** Stores an evaluation and returns its id. */
async function store(scenarios: Scenario[], members: object = {}): Promise<string> {
  evaluationCount += 1
  const id = `e-${evaluationCount}`
  await sendOk('POST', EVALUATIONS, { id, ...members })
  const bodies = scenarios.map(({ id, question, score, sample, repetition }) => ({
    ...(id !== undefined && { id }),
    inputs: question === undefined ? [] : [{ name: 'question', type: 'text', value: question }],
    results: [
      {
        evaluator_config: 'correct',
        result: { type: typeof score === 'boolean' ? 'bool' : 'number', value: score },
      },
    ],
    ...(sample !== undefined && { extra: { sample, repetition } }),
  }))
  await sendOk('POST', scenariosPath(id), bodies)
  return id
}

async function compareIds(base: string, candidate: string, by = 'auto') {
  const { text } = await sendOk('GET', `/api/comparisons?evaluation=${base}&evaluation=${candidate}&by=${by}`)
  const comparison = JSON.parse(text) as Comparison
  const [first] = comparison.candidates
  const [evaluator] = first?.evaluators ?? []
  assert.ok(first && evaluator)
  return { comparison, first, evaluator }
}

async function compare(base: Scenario[], candidate: Scenario[], by?: string) {
  return compareIds(await store(base), await store(candidate), by)
}

function rowsOf(scores: Score[]): Scenario[] {
  return scores.map((score, index) => ({ id: `r-${index}`, question: `Question ${index}`, score }))
}

/** Evaluations of `n` rows: all rows pass in the baseline, and `regressed` of them fail in the candidate. */
function compareRegressed(n: number, regressed: number) {
  const scores = Array.from({ length: n }, (_, index) => index >= regressed)
  return compare(rowsOf(scores.map(() => true)), rowsOf(scores))
}

describe('few rows', () => {
  test('two of two regressed verdicts are too few for an outcome', async () => {
    const { evaluator } = await compareRegressed(2, 2)
    const { n, delta, outcome, interval, p_value, detectable, classes } = evaluator
    assert.deepEqual([outcome, interval, p_value, detectable], ['too-few', null, 0.5, null])
    assert.deepEqual([n, delta, classes.regressed], [2, -1, 2])
  })

  test('numbers of five rows are too few for an outcome, and those of six are not', async () => {
    const numbers = [0.9, 0.8, 0.85, 0.95, 0.7, 0.75]
    const lower = numbers.map((number, index) => number - 0.5 - index / 100)
    const five = await compare(rowsOf(numbers.slice(0, 5)), rowsOf(lower.slice(0, 5)))
    assert.deepEqual([five.evaluator.outcome, five.evaluator.interval], ['too-few', null])
    const six = await compare(rowsOf(numbers), rowsOf(lower))
    assert.equal(six.evaluator.outcome, 'worse')
  })

  test('4 of 10 regressed verdicts are tied, with an interval that contains 0', async () => {
    const { evaluator } = await compareRegressed(10, 4)
    const [low = Number.NaN, high = Number.NaN] = evaluator.interval ?? []
    assert.deepEqual([evaluator.outcome, evaluator.delta, evaluator.p_value], ['tied', -0.4, 0.125])
    assert.ok(-1 <= low && low < -0.4 && high >= 0 && high < 0.4, `${low}, ${high}`)
    assert.ok((evaluator.detectable ?? 0) > 0.4)
  })

  test('every interval of verdicts is within -1 and 1, and contains 0 exactly if the exact test does not reject', async () => {
    for (const n of [2, 4, 6, 8, 10]) {
      for (const regressed of [1, n / 2, n]) {
        const { evaluator } = await compareRegressed(n, regressed)
        const label = `${regressed} of ${n}: ${JSON.stringify(evaluator.interval)}`
        if (n < 6) {
          assert.equal(evaluator.interval, null, label)
          continue
        }
        const [low = Number.NaN, high = Number.NaN] = evaluator.interval ?? []
        assert.ok(-1 <= low && low <= high && high <= 1, label)
        assert.equal(evaluator.outcome, 2 * 0.5 ** regressed <= 0.05 ? 'worse' : 'tied', label)
        assert.equal(high < 0, evaluator.outcome === 'worse', label)
      }
    }
  })
})

/** The scores of the repeats of each row. */
function repeat(rows: Score[][], prefix: string, hasSamples: boolean): Scenario[] {
  return rows.flatMap((scores, row) =>
    scores.map((score, index) => ({
      id: `${prefix}-${row}-${index}`,
      question: `Question ${row}`,
      score,
      ...(hasSamples && { sample: `q-${row}`, repetition: index + 1 }),
    })),
  )
}

const verdicts = (passes: number, count: number): boolean[] =>
  Array.from({ length: count }, (_, index) => index < passes)

describe('repeats with ids of their own', () => {
  // Of 30 samples, 9 improve and 6 regress, in all of their 10 repeats.
  const samples = Array.from({ length: 30 }, (_, row) => row)
  const base = repeat(
    samples.map((row) => verdicts(row < 9 ? 0 : 10, 10)),
    'epoch',
    true,
  )
  const candidateRows = samples.map((row) => verdicts(row < 24 ? 10 : 0, 10))

  test('300 repeats of 30 samples are 30 rows, and tied', async () => {
    const { comparison, first, evaluator } = await compare(base, repeat(candidateRows, 'epoch', true))
    const { outcome, n, delta, p_value, interval } = evaluator
    assert.deepEqual([outcome, n, delta, p_value], ['tied', 30, 0.1, null])
    const [low = Number.NaN, high = Number.NaN] = interval ?? []
    assert.ok(low < -0.1 && high > 0.3, `${low}, ${high}`)
    assert.equal(comparison.join.by, 'id')
    assert.deepEqual([first.matched, first.match_rate, first.only_in_base], [30, 1, 0])
    assert.deepEqual(
      comparison.evaluations.map(({ scenario_count, row_count }) => [scenario_count, row_count]),
      [
        [300, 30],
        [300, 30],
      ],
    )
    assert.deepEqual(evaluator.classes, {
      ...{ regressed: 6, improved: 9, same: 15, unclear: 0 },
      ...{ incomparable: 0, missing: 0 },
    })
    assert.deepEqual(comparison.warnings, [], 'repeats that the tool has named need no warning')
  })

  test('the conclusion is the same whatever the ids of the repeats are, and by inputs', async () => {
    const same = await compare(base, repeat(candidateRows, 'epoch', true))
    const otherIds = await compare(base, repeat(candidateRows, 'run-2', true))
    const byInput = await compare(base, repeat(candidateRows, 'run-3', true), 'input')
    const unnamed = await compare(
      base.map(({ sample: _, repetition: __, ...scenario }) => scenario),
      repeat(candidateRows, 'run-4', false),
    )
    for (const { evaluator, first } of [otherIds, byInput, unnamed]) {
      assert.deepEqual(evaluator, same.evaluator)
      assert.equal(first.matched, 30)
    }
    assert.deepEqual([otherIds.comparison.join.by, unnamed.comparison.join.by], ['id', 'input'])
  })
})

describe('repeats that are recognized by equal inputs', () => {
  const FLAKY = 5
  const isFlaky = (row: number) => row % FLAKY === 0
  /** The passes of each row. A fifth of the rows is flaky: it passes in 2 to 4 of 5 repeats. */
  const passesOf = (row: number, run: number) =>
    isFlaky(row) ? 2 + ((row / FLAKY + run * (row % 3)) % 3) : row % 10 === 1 ? 0 : 5
  const rowCount = 100
  /** The repeats of a row are in another order in each run, and those of all rows are mixed. */
  const run = (number: number, count = 5): Scenario[] =>
    Array.from({ length: count }, (_, repetition) =>
      Array.from({ length: rowCount }, (_, row) => ({
        question: `Question ${row}`,
        score: (repetition + row * number) % 5 < passesOf(row, number),
      })),
    ).flat()

  test('the same model run twice has no regressed rows, and its flaky rows are unclear or the same', async () => {
    const { comparison, first, evaluator } = await compare(run(0), run(1))
    const { outcome, n, p_value, classes } = evaluator
    assert.deepEqual([outcome, n, p_value], ['tied', rowCount, null])
    const differing = Array.from({ length: rowCount }, (_, row) => row).filter(
      (row) => passesOf(row, 0) !== passesOf(row, 1),
    ).length
    assert.ok(differing >= 10, `${differing}`)
    assert.deepEqual(classes, {
      ...{ regressed: 0, improved: 0, same: rowCount - differing, unclear: differing },
      ...{ incomparable: 0, missing: 0 },
    })
    assert.deepEqual([comparison.join.by, first.matched], ['input', rowCount])
    assert.deepEqual(
      comparison.warnings.map(({ code, rows }) => [code, rows]),
      [
        ['rows-grouped', 400],
        ['rows-grouped', 400],
      ],
    )
    assert.match(
      comparison.warnings[0]?.detail ?? '',
      /400 scenarios have the same inputs and expected answers as an earlier one\. They count as repeats/,
    )
  })

  test('scores are equal if their repeats are, in any order and despite rounding errors of means', async () => {
    // The sum of these numbers depends on their order.
    const scores = [0.1, 0.2, 0.3]
    assert.notEqual(0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1)
    const rows = (order: number[]) =>
      Array.from({ length: 8 }, (_, row) =>
        order.map((score) => ({ question: `Question ${row}`, score })),
      ).flat()
    const { evaluator } = await compare(rows(scores), rows(scores.toReversed()))
    const { n, delta, interval, outcome, classes } = evaluator
    assert.deepEqual([n, delta, interval, outcome, classes.same], [8, 0, [0, 0], 'tied', 8])
  })

  test('nothing is missing if one run has 3 repeats per row and the other 5', async () => {
    for (const [baseCount, candidateCount] of [
      [3, 5],
      [5, 3],
    ]) {
      const { comparison, first, evaluator } = await compare(run(0, baseCount), run(1, candidateCount))
      assert.deepEqual([first.matched, first.only_in_base, first.only_in_candidate], [rowCount, 0, 0])
      assert.deepEqual([evaluator.classes.missing, evaluator.n], [0, rowCount])
      assert.ok(!comparison.warnings.some(({ code }) => code === 'rows-missing'))
    }
  })

  test('a row with 3 of 5 against 4 of 5 passes is unclear, and one with 0 of 5 against 5 of 5 is improved', async () => {
    const base = repeat([verdicts(3, 5), verdicts(0, 5), verdicts(5, 5), verdicts(2, 4)], 'a', false)
    const candidate = repeat([verdicts(4, 5), verdicts(5, 5), verdicts(1, 5), verdicts(4, 8)], 'b', false)
    const ids = [await store(base), await store(candidate)]
    const search = ids.map((id) => `evaluation=${id}`).join('&')
    const { rows, classes } = JSON.parse((await sendOk('GET', `/api/comparisons/rows?${search}`)).text)
    assert.deepEqual(
      rows.map(({ base_score, candidates: [first] }: (typeof rows)[number]) => [
        base_score,
        first.score,
        first.class,
        Number(first.delta?.toFixed(12)),
      ]),
      [
        [{ count: 5, passes: 3, mean: 0.6 }, { count: 5, passes: 4, mean: 0.8 }, 'unclear', 0.2],
        [{ count: 5, passes: 0, mean: 0 }, { count: 5, passes: 5, mean: 1 }, 'improved', 1],
        // One repeat passes on both sides, but Fisher's exact test gives 2 · 5 / 210 = 0.048.
        [{ count: 5, passes: 5, mean: 1 }, { count: 5, passes: 1, mean: 0.2 }, 'regressed', -0.8],
        [{ count: 4, passes: 2, mean: 0.5 }, { count: 8, passes: 4, mean: 0.5 }, 'same', 0],
      ],
    )
    assert.deepEqual([classes.unclear, classes.same, classes.improved, classes.regressed], [1, 1, 1, 1])
    const repeats = rows.map(({ base_repeats, candidates: [first] }: (typeof rows)[number]) => [
      base_repeats.length,
      first.repeats[0],
      first.repeats.length,
    ])
    assert.deepEqual(repeats[3], [4, 'b-3-0', 8])
  })

  test('rows with one repeat in both runs have no list of repeats', async () => {
    const ids = [await store(rowsOf([true, false])), await store(rowsOf([false, false]))]
    const search = ids.map((id) => `evaluation=${id}`).join('&')
    const { rows } = JSON.parse((await sendOk('GET', `/api/comparisons/rows?${search}`)).text)
    for (const row of rows) {
      assert.deepEqual([row.base_repeats, row.candidates[0].repeats], [null, null])
      assert.deepEqual(row.candidates[0].score, { count: 1, passes: 0, mean: 0 })
    }
  })
})

test('a table with a column trial has one row per question, and the trial is not an input', async () => {
  const table = (shift: number) =>
    [
      'question,trial,output,score.correct',
      ...Array.from({ length: 40 }, (_, index) => {
        const [question, trial] = [Math.floor(index / 5), (index % 5) + 1]
        return `Question ${question},${trial},Answer,${(question + trial + shift) % 4 > 0}`
      }),
    ].join('\n')
  const ids: string[] = []
  for (const shift of [0, 1]) {
    const { text } = await sendOk('POST', `/api/imports?name=run-${shift}.csv`, table(shift), {
      'content-type': 'text/csv',
    })
    ids.push(JSON.parse(text).evaluations[0].id)
  }
  const { comparison, first, evaluator } = await compareIds(ids[0] ?? '', ids[1] ?? '')
  assert.deepEqual(
    comparison.evaluations.map(({ row_count, inputs }) => [row_count, inputs]),
    [
      [8, ['question']],
      [8, ['question']],
    ],
  )
  assert.deepEqual([first.matched, evaluator.n, evaluator.classes.missing], [8, 8, 0])
  const { text } = await sendOk('GET', `/api/evaluations/${ids[0]}/rows?repetition=eq.2`)
  assert.equal(JSON.parse(text).total, 8)
})

describe('different rows', () => {
  /** All verdicts regress. The first `same` rows have the inputs of the baseline. */
  const compareDifferent = (same: number) =>
    compare(
      rowsOf(Array(100).fill(true)),
      rowsOf(Array(100).fill(false)).map((row, index) =>
        index < same ? row : { ...row, question: `Another question ${index}` },
      ),
    )

  test('have no outcome if most rows with the same id have different inputs', async () => {
    const { comparison, first, evaluator } = await compareDifferent(1)
    assert.deepEqual([evaluator.outcome, first.has_different_rows], [null, true])
    assert.deepEqual([comparison.join.by, first.matched, first.inputs_differ], ['id', 100, 99])
    assert.deepEqual([evaluator.n, evaluator.delta, evaluator.classes.regressed], [100, -1, 100])
    const [, candidate] = comparison.evaluations
    assert.deepEqual(comparison.warnings, [
      {
        code: 'inputs-differ',
        evaluation: candidate?.id,
        evaluator: null,
        rows: 99,
        detail: `These runs do not have the same rows: 99 of 100 rows with the same id have different inputs in '${candidate?.id}' than in the baseline. There is no verdict. Pair by inputs instead.`,
      },
    ])
  })

  test('have an outcome if half of the rows have the same inputs, or if other keys than ids are compared', async () => {
    const half = await compareDifferent(50)
    assert.deepEqual([half.first.has_different_rows, half.evaluator.outcome], [false, 'worse'])
    assert.equal(half.first.inputs_differ, 50)
    const most = await compareDifferent(49)
    assert.deepEqual([most.first.has_different_rows, most.evaluator.outcome], [true, null])
    const ids = most.comparison.evaluations.map(({ id }) => id)
    const byPosition = await compareIds(ids[0] ?? '', ids[1] ?? '', 'position')
    assert.deepEqual([byPosition.first.has_different_rows, byPosition.evaluator.outcome], [false, 'worse'])
  })

  test('have no outcome in summaries, breakdowns and lists', async () => {
    const { comparison } = await compareDifferent(1)
    const [base = '', id = ''] = comparison.evaluations.map((evaluation) => evaluation.id)
    await sendOk('PATCH', `/api/evaluations/${id}`, { baseline_id: base })
    const summary = JSON.parse((await sendOk('GET', `/api/evaluations/${id}/summary?base=${base}`)).text)
    const path = `/api/evaluations/${id}/breakdown?by=error&base=${base}`
    const breakdown = JSON.parse((await sendOk('GET', path)).text)
    const list: Evaluation[] = JSON.parse((await sendOk('GET', '/api/evaluations?include=scores,base')).text)
    const listed = list.find((evaluation) => evaluation.id === id)?.scores
    for (const { base: statistics, evaluators } of [summary, { ...breakdown, ...breakdown.total }, listed]) {
      assert.equal(statistics.has_different_rows, true)
      assert.deepEqual([evaluators[0].base.outcome, evaluators[0].base.n], [null, 100])
    }
  })
})

test('an evaluation without a baseline is compared with the marked baseline of its variant', async () => {
  await sendOk('POST', revisionsPath('bot'), revisionBody())
  const members = (day: number, more = {}) => ({
    ...{ variant_id: 'bot', revision: 1, created_at: `2026-10-0${day}T08:00:00.000Z` },
    ...more,
  })
  const scores = Array.from({ length: 20 }, (_, index) => index > 1)
  const marked = await store(rowsOf(scores), members(1))
  const marking = await store(rowsOf(scores), members(2, { baseline_id: marked }))
  const id = await store(rowsOf(scores.map((_, index) => index > 15)), members(3))
  const { text } = await sendOk('GET', `/api/evaluations/${id}/summary?base=`)
  const { base, evaluators } = JSON.parse(text) as EvaluationSummary
  assert.deepEqual([base?.id, base?.chosen, base?.matched], [marked, 'marked', 20])
  assert.deepEqual([evaluators[0]?.base?.outcome, evaluators[0]?.base?.regressed], ['worse', 14])
  const list = await sendOk('GET', '/api/evaluations?include=scores,base&variant_id=eq.bot')
  const listed = JSON.parse(list.text) as Evaluation[]
  assert.deepEqual(
    listed.map(({ id, scores }) => [id, scores?.base?.id, scores?.base?.chosen]),
    [
      [id, marked, 'marked'],
      [marking, marked, 'declared'],
      [marked, undefined, undefined],
    ],
  )
  assert.equal(listed[0]?.scores?.evaluators[0]?.base?.outcome, 'worse')
})
