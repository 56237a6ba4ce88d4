// Tests of the regression gate in comparisons: its decision, the reasons, what is checked, and its query parameters.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Comparison } from '../../../src/schema/comparisons.ts'
import type { Gate } from '../../../src/schema/gate.ts'
import { EVALUATIONS, scenariosPath } from '../../support/write-requests.ts'
import { startWriteService } from '../../support/write-service.ts'

const { send, sendOk } = await startWriteService()

type Score = boolean | number | null
/** The scores of each evaluator, row by row. */
type Scores = Record<string, Score[]>

let evaluationCount = 0

/** Stores an evaluation and returns its id. Null is a row without a score. */
async function store(scores: Scores, members: object = {}): Promise<string> {
  evaluationCount += 1
  const id = `e-${evaluationCount}`
  await sendOk('POST', EVALUATIONS, { id, ...members })
  const rowCount = Math.max(0, ...Object.values(scores).map(({ length }) => length))
  const scenarios = Array.from({ length: rowCount }, (_, row) => ({
    id: `r-${row}`,
    inputs: [{ name: 'question', type: 'text', value: `Question ${row}` }],
    results: Object.entries(scores)
      .filter(([, values]) => values[row] != null)
      .map(([evaluator_config, values]) => ({
        evaluator_config,
        result: { type: typeof values[row] === 'boolean' ? 'bool' : 'number', value: values[row] },
      })),
  }))
  await sendOk('POST', scenariosPath(id), scenarios)
  return id
}

async function gateOf(base: string, candidate: string, query = ''): Promise<Gate> {
  const { text } = await sendOk('GET', `/api/comparisons?evaluation=${base}&evaluation=${candidate}${query}`)
  return (JSON.parse(text) as Comparison).candidates[0]?.gate as Gate
}

async function decide(base: Scores, candidate: Scores, query = ''): Promise<Gate> {
  return gateOf(await store(base), await store(candidate), query)
}

const codesOf = ({ reasons }: Gate) => reasons.map(({ code }) => code)
const detailsOf = ({ reasons }: Gate) => reasons.map(({ detail }) => detail)
/** All rows pass, except for the first ones. */
const failing = (rows: number, failed: number) => Array.from({ length: rows }, (_, row) => row >= failed)

describe('decides', () => {
  test('passed, and says how large a loss is excluded', async () => {
    const gate = await decide({ exact: failing(300, 20) }, { exact: failing(300, 20) })
    assert.equal(gate.decision, 'passed')
    const [check] = gate.checks
    const excluded = Math.ceil(1000 * (check?.interval?.[1] ?? 0)) / 10
    assert.deepEqual(detailsOf(gate), [`'exact' is not worse by more than ${excluded} points.`])
    assert.ok(excluded > 0 && excluded < 3, String(excluded))
  })

  test('passed without a claim if there are too few rows to exclude a loss', async () => {
    const gate = await decide({ exact: failing(4, 0) }, { exact: failing(4, 0) })
    assert.deepEqual([gate.decision, codesOf(gate)], ['passed', ['not-excluded']])
    assert.deepEqual(detailsOf(gate), [
      "'exact' has too few rows to exclude a loss: 4 with a score, at least 6 are needed.",
    ])
  })

  test('failed if an evaluator is certainly worse', async () => {
    const gate = await decide({ exact: failing(40, 0) }, { exact: failing(40, 10) })
    assert.deepEqual([gate.decision, codesOf(gate)], ['failed', ['certain']])
    assert.match(
      detailsOf(gate)[0] ?? '',
      /^'exact' is certainly worse: observed loss 25 points, true loss at least \d+(\.\d)? points\. 10 of 40 rows regressed\.$/,
    )
    assert.equal(gate.checks[0]?.loss, 0.25)
  })

  test('failed if the observed loss is large, and says that it can be chance', async () => {
    const gate = await decide({ exact: failing(20, 0) }, { exact: failing(20, 2) })
    assert.deepEqual([gate.decision, codesOf(gate)], ['failed', ['observed-loss']])
    assert.deepEqual(detailsOf(gate), [
      "'exact' is worse: observed loss 10 points, more than 5 points. It can be chance: 2 of 20 rows regressed.",
    ])
  })

  test('failed for 2 of 4 regressed rows, although there are too few rows for a verdict', async () => {
    const gate = await decide({ exact: failing(4, 0) }, { exact: failing(4, 2) })
    assert.deepEqual([gate.decision, codesOf(gate)], ['failed', ['observed-loss']])
    assert.equal(gate.checks[0]?.interval, null)
  })

  test('passed if the observed loss equals the limit', async () => {
    const gate = await decide({ exact: failing(20, 0) }, { exact: failing(20, 1) })
    assert.deepEqual([gate.decision, gate.checks[0]?.loss], ['passed', 0.05])
  })

  test('failed if all numbers get worse by the same amount', async () => {
    const declared = { evaluators: [{ name: 'score', higher_is_better: true }] }
    const [base, lower] = [Array(8).fill(0.5), Array(8).fill(0.4)]
    const gate = await gateOf(await store({ score: base }, declared), await store({ score: lower }))
    assert.deepEqual(detailsOf(gate), ["'score' is certainly worse: all 8 rows lost 0.1."])
    const few = await gateOf(
      await store({ score: base.slice(0, 5) }, declared),
      await store({ score: lower.slice(0, 5) }),
    )
    assert.deepEqual([few.decision, codesOf(few)], ['passed', ['not-excluded']])
  })

  test('uses the declared direction', async () => {
    const declared = { evaluators: [{ name: 'errors', higher_is_better: false }] }
    const [low, high] = [Array.from({ length: 12 }, (_, row) => row % 3), []] as [number[], number[]]
    for (const number of low) high.push(number + 2 + (number % 2))
    const worse = await gateOf(await store({ errors: low }, declared), await store({ errors: high }))
    assert.deepEqual([worse.decision, codesOf(worse)], ['failed', ['certain']])
    const better = await gateOf(await store({ errors: high }, declared), await store({ errors: low }))
    assert.deepEqual([better.decision, detailsOf(better)], ['passed', ["'errors' is not worse."]])
  })

  test('the most certain reason comes first', async () => {
    const base = { a: failing(40, 0), b: failing(40, 0) }
    const gate = await decide(base, { a: failing(40, 3), b: failing(40, 20) })
    assert.deepEqual(
      gate.reasons.map(({ code, evaluator }) => [code, evaluator]),
      [
        ['certain', 'b'],
        ['observed-loss', 'a'],
      ],
    )
  })

  test('corrects the confidence level for the number of checked evaluators', async () => {
    const [base, worse] = [failing(30, 0), failing(30, 6)]
    const alone = await decide({ e0: base }, { e0: worse }, '&max_loss=0.9')
    assert.deepEqual(codesOf(alone), ['certain'])
    const names = Array.from({ length: 5 }, (_, index) => `e${index}`)
    const all = (scores: Score[]) => Object.fromEntries(names.map((name) => [name, scores]))
    const together = await decide(all(base), { ...all(base), e0: worse }, '&max_loss=0.9')
    assert.deepEqual([together.decision, together.checks.length], ['passed', 5])
    assert.ok((together.checks[0]?.interval?.[0] ?? 1) <= 0)
  })
})

describe('is invalid', () => {
  const exact = { exact: failing(10, 0) }
  const cases: [name: string, base: object, candidate: object, reason: RegExp][] = [
    ['if the candidate is running', {}, { status: 'running' }, /^'e-\d+' is still running\.$/],
    ['if the candidate failed', {}, { status: 'failed' }, /^The run of 'e-\d+' failed/],
    ['if the baseline failed', { status: 'failed' }, {}, /^The run of 'e-\d+' failed/],
    [
      'if scenarios are missing',
      {},
      { expected_count: 12 },
      /^'e-\d+' has 10 scenarios, but 12 are expected\.$/,
    ],
    ['if there are more scenarios than expected', {}, { expected_count: 1 }, /has 10 scenarios, but 1 are/],
  ]
  for (const [name, base, candidate, reason] of cases)
    test(name, async () => {
      const gate = await gateOf(await store(exact, base), await store(exact, candidate))
      assert.equal(gate.decision, 'invalid')
      assert.match(detailsOf(gate)[0] ?? '', reason)
    })

  test('if less than 95 % of the rows of the baseline are matched', async () => {
    const shorter = { exact: failing(19, 0) }
    assert.equal((await decide({ exact: failing(20, 0) }, shorter)).decision, 'passed')
    const gate = await decide({ exact: failing(21, 0) }, shorter)
    assert.deepEqual([gate.decision, codesOf(gate)], ['invalid', ['rows-missing', 'scores-missing']])
    assert.equal(detailsOf(gate)[0], 'Only 19 of the 21 rows of the baseline are matched, less than 95 %.')
    const relaxed = await decide({ exact: failing(21, 0) }, shorter, '&min_matched=0.9')
    assert.equal(relaxed.decision, 'passed')
  })

  test('if less than 95 % of the scored rows have a score', async () => {
    const scores = failing(20, 0)
    const missing = (count: number) => ({ exact: scores.map((score, row) => (row < count ? null : score)) })
    assert.equal((await decide({ exact: scores }, missing(1))).decision, 'passed')
    const gate = await decide({ exact: scores }, missing(2))
    assert.deepEqual([gate.decision, codesOf(gate)], ['invalid', ['scores-missing']])
    assert.match(
      detailsOf(gate)[0] ?? '',
      /^'exact' scored 20 rows in the baseline, but 'e-\d+' has a score for only 18 of them\.$/,
    )
  })

  test('if the candidate does not have a checked evaluator', async () => {
    const gate = await decide({ exact: failing(10, 0), other: failing(10, 0) }, { other: failing(10, 0) })
    assert.deepEqual([gate.decision, codesOf(gate)], ['invalid', ['scores-missing']])
  })

  test('if nothing is checked', async () => {
    const gate = await decide({ length: [1, 2, 3] }, { length: [1, 2, 3] })
    assert.deepEqual(
      [gate.decision, codesOf(gate), gate.unchecked],
      ['invalid', ['nothing-checked'], ['length']],
    )
    assert.equal((await decide({}, {})).decision, 'invalid')
  })

  test('if the rows are different ones', async () => {
    const base = await store(exact)
    await sendOk('POST', EVALUATIONS, { id: 'other-rows' })
    const scenarios = failing(10, 0).map((value, row) => ({
      id: `r-${row}`,
      inputs: [{ name: 'question', type: 'text', value: `Another ${row}` }],
      results: [{ evaluator_config: 'exact', result: { type: 'bool', value } }],
    }))
    await sendOk('POST', scenariosPath('other-rows'), scenarios)
    assert.deepEqual(codesOf(await gateOf(base, 'other-rows')), ['rows-differ'])
  })

  test('but failed if another evaluator is worse', async () => {
    const base = { a: failing(20, 0), b: failing(20, 0) }
    const gate = await decide(base, { a: failing(20, 12), b: failing(20, 0).slice(0, 10) })
    assert.deepEqual([gate.decision, codesOf(gate)], ['failed', ['certain', 'scores-missing']])
  })
})

describe('checks', () => {
  test('verdicts and evaluators with a direction or a threshold, but not those of people', async () => {
    const numbers = Array.from({ length: 8 }, (_, row) => row / 10)
    const scores = {
      exact: failing(8, 2),
      length: numbers,
      judge: numbers,
      tone: numbers,
      human: failing(8, 0),
    }
    const evaluators = [
      { name: 'judge', threshold: 0.5 },
      { name: 'tone', higher_is_better: false },
      { name: 'human', higher_is_better: true, kind: 'human' },
      { name: 'length', kind: 'code' },
    ]
    const gate = await gateOf(await store(scores), await store(scores, { evaluators }))
    assert.deepEqual(
      [gate.decision, gate.checks.map(({ name }) => name), gate.unchecked],
      ['passed', ['exact', 'judge', 'tone'], ['length', 'human']],
    )
  })

  test('only the evaluators of `on`, also by a name with commas', async () => {
    const scores = { a: failing(8, 0), 'b, c': failing(8, 0), d: [1, 2, 3, 4, 5, 6, 7, 9] }
    const [base, candidate] = [await store(scores), await store({ ...scores, a: failing(8, 8) })]
    const checked = async (on: string) => {
      const gate = await gateOf(base, candidate, `&on=${encodeURIComponent(on)}`)
      return [gate.decision, ...gate.checks.map(({ name }) => name)]
    }
    assert.deepEqual(await checked('b, c'), ['passed', 'b, c'])
    assert.deepEqual(await checked('d'), ['passed', 'd'])
    assert.deepEqual(await checked('d,a'), ['failed', 'd', 'a'])
  })
})

describe('rejects', () => {
  const cases: [query: string, detail: RegExp][] = [
    ['on=unknown', /no evaluator 'unknown'\. Available evaluators: 'exact'\.$/],
    [
      'tolerance=2',
      /'tolerance' is a share of a pass rate: 1 is 100 points, so 2 allows every loss\. Write 0\.02 for 2 points\.$/,
    ],
    ['max_loss=1', /Write 0\.01 for 1 point\.$/],
    ['tolerance=-1', /'tolerance' must be a number of at least 0, not '-1'\.$/],
    ['min_matched=1.5', /'min_matched' must be a number from 0 to 1, not '1\.5'\.$/],
    ['max_regressed=x', /'max_regressed' must be a whole number of at least 0, not 'x'\.$/],
  ]
  for (const [query, detail] of cases)
    test(query, async () => {
      const id = await store({ exact: failing(6, 0) })
      const other = await store({ exact: failing(6, 0) })
      const { status, text } = await send(
        'GET',
        `/api/comparisons?evaluation=${id}&evaluation=${other}&${query}`,
      )
      assert.equal(status, 400)
      assert.match((JSON.parse(text) as { detail: string }).detail, detail)
    })

  test('a tolerance above 1 only for pass rates', async () => {
    const scores = { length: [1, 5, 9, 13, 17, 21] }
    const shorter = { length: [0, 4, 7, 12, 16, 19] }
    const evaluators = [{ name: 'length', higher_is_better: true }]
    const [base, candidate] = [await store(scores, { evaluators }), await store(shorter)]
    assert.equal((await gateOf(base, candidate)).decision, 'failed')
    assert.equal((await gateOf(base, candidate, '&tolerance=2')).decision, 'passed')
  })
})

test('max_regressed limits the rows that regressed, even if others improved', async () => {
  const changed = failing(20, 0).map((_, row) => row >= 5)
  const base = await store({ exact: changed })
  const candidate = await store({ exact: changed.toReversed() })
  const gate = await gateOf(base, candidate, '&max_regressed=4')
  assert.deepEqual(detailsOf(gate), ["5 rows regressed on 'exact', more than 4."])
  assert.equal((await gateOf(base, candidate, '&max_regressed=5')).decision, 'passed')
  // The rules are a part of the cached response.
  assert.equal((await gateOf(base, candidate)).decision, 'passed')
})
