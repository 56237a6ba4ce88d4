// Compares results, disputed rows, agreement and labels of reviews with a model, on random answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testOptions } from '../../support/options.ts'
import { startReviewService } from '../../support/review-service.ts'
import { scenariosPath } from '../../support/write-requests.ts'

const service = await startReviewService()
const { createEvaluation, createReview, invite, sendOk, readJson, checkClean } = service

const NAMES = ['Ana', 'Jo', 'Mira']
const LABELS = ['late', 'rude', 'wrong']
const ROWS = Array.from({ length: 45 }, (_, index) => `row-${index}`)

type Verdict = boolean | null
/** The answers of one row. Undefined: this reviewer has not answered. */
interface RowAnswers {
  verdicts: ({ value: Verdict; labels: string[]; grade: number | null } | undefined)[]
  decision: boolean | undefined
}

const answers = fc.record({
  value: fc.constantFrom<Verdict>(true, true, false, null),
  labels: fc.subarray(LABELS),
  grade: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })),
})
const row: fc.Arbitrary<RowAnswers> = fc.record({
  verdicts: fc.tuple(answers, answers, fc.option(answers, { nil: undefined })),
  decision: fc.constantFrom(undefined, undefined, undefined, true, false),
})

/** The strict majority of the definite verdicts, in words of the contract. */
function expectVerdict({ verdicts, decision }: RowAnswers): { result: Verdict; isDisputed: boolean } {
  if (decision !== undefined) return { result: decision, isDisputed: false }
  const passes = verdicts.filter((answer) => answer?.value === true).length
  const fails = verdicts.filter((answer) => answer?.value === false).length
  if (passes === fails) return { result: null, isDisputed: passes > 0 }
  return { result: passes > fails, isDisputed: false }
}

function expectMedian({ verdicts }: RowAnswers): number | undefined {
  const grades = verdicts.flatMap((answer) => answer?.grade ?? []).sort((a, b) => a - b)
  if (grades.length === 0) return undefined
  const [low, high] = [grades[Math.ceil(grades.length / 2) - 1], grades[Math.floor(grades.length / 2)]]
  return ((low as number) + (high as number)) / 2
}

/** Cohen's kappa with the standard error of Fleiss, Cohen and Everitt, from proportions as in textbooks. */
function expectKappa(pairs: [boolean, boolean][]) {
  const share = (a: boolean, b: boolean) => pairs.filter(([x, y]) => x === a && y === b).length / pairs.length
  const values = [true, false]
  const table = values.map((a) => values.map((b) => share(a, b)))
  const rowSums = table.map((cells) => cells.reduce((sum, cell) => sum + cell, 0))
  const columnSums = values.map((_, column) => table.reduce((sum, cells) => sum + (cells[column] ?? 0), 0))
  const at = (i: number, j: number) => table[i]?.[j] ?? 0
  const expected = values.reduce((sum, _, i) => sum + (rowSums[i] ?? 0) * (columnSums[i] ?? 0), 0)
  const kappa = (at(0, 0) + at(1, 1) - expected) / (1 - expected)
  let [equal, different] = [0, 0]
  for (const i of [0, 1])
    for (const j of [0, 1]) {
      if (i === j) equal += at(i, i) * (1 - ((rowSums[i] ?? 0) + (columnSums[i] ?? 0)) * (1 - kappa)) ** 2
      else different += at(i, j) * ((columnSums[i] ?? 0) + (rowSums[j] ?? 0)) ** 2 * (1 - kappa) ** 2
    }
  const variance =
    (equal + different - (kappa - expected * (1 - kappa)) ** 2) / ((1 - expected) ** 2 * pairs.length)
  const margin = 1.96 * Math.sqrt(Math.max(0, variance))
  return { kappa, interval: [Math.max(-1, kappa - margin), Math.min(1, kappa + margin)] }
}

function assertClose(actual: number, expected: number, name: string): void {
  assert.ok(Math.abs(actual - expected) < 1e-6, `${name}: ${actual}, expected ${expected}`)
}

test('results, disputed rows, agreement and labels are those of a model, for random answers', async () => {
  const property = fc.asyncProperty(fc.array(row, { minLength: 45, maxLength: 45 }), async (model) => {
    const id = await createEvaluation(ROWS.map((name) => ({ id: name })))
    const questions = [
      { evaluator: 'verdict', type: 'verdict' },
      { evaluator: 'grade', type: 'number' },
    ]
    const review = await createReview(id, { questions, reviewers_per_row: 3 })
    for (const [index, name] of NAMES.entries()) {
      const reviewer = await invite(review, name)
      for (const [position, { verdicts }] of model.entries()) {
        const answer = verdicts[index]
        if (!answer) continue
        const { value, labels, grade } = answer
        const body = {
          answers: [
            { evaluator: 'verdict', value, labels },
            { evaluator: 'grade', value: grade },
          ],
        }
        await reviewer.send('PUT', `answers/row-${position}`, body)
      }
    }
    for (const [position, { decision }] of model.entries())
      if (decision !== undefined)
        await sendOk('PUT', `/api/reviews/${review}/answers/row-${position}`, {
          answers: [{ evaluator: 'verdict', value: decision }],
        })

    const scenarios = await readJson(scenariosPath(id))
    for (const [position, { results }] of scenarios.entries()) {
      const expected = model[position] as RowAnswers
      const found = (name: string) =>
        results.find((result: { evaluator_config: string }) => result.evaluator_config === name)?.result.value
      assert.equal(found('verdict') ?? null, expectVerdict(expected).result)
      const [grade, median] = [found('grade'), expectMedian(expected)]
      if (median === undefined) assert.equal(grade, undefined)
      else assertClose(grade, median, 'median')
    }

    const report = await readJson(`/api/reviews/${review}`, 'ReviewReport')
    const [verdicts] = report.results
    const outcomes = model.map(expectVerdict)
    const withResult = outcomes.filter(({ result }) => result !== null)
    assert.deepEqual(
      [verdicts.results, verdicts.passed, verdicts.disputed],
      [
        withResult.length,
        withResult.filter(({ result }) => result).length,
        outcomes.filter(({ isDisputed }) => isDisputed).length,
      ],
    )
    assert.deepEqual(
      verdicts.disputed_rows.map(({ scenario_id }: { scenario_id: string }) => scenario_id).sort(),
      ROWS.filter((_, position) => outcomes[position]?.isDisputed).sort(),
    )
    for (const [first, second] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const pairs = model.flatMap(({ verdicts }): [boolean, boolean][] => {
        const [a, b] = [verdicts[first]?.value, verdicts[second]?.value]
        return typeof a === 'boolean' && typeof b === 'boolean' ? [[a, b]] : []
      })
      const names = [NAMES[first], NAMES[second]]
      const found = verdicts.pairs.find(
        ({ reviewers }: { reviewers: string[] }) => reviewers.join() === names.join(),
      )
      assert.equal(found?.rows ?? 0, pairs.length)
      if (!found) continue
      assert.equal(found.agreeing, pairs.filter(([a, b]) => a === b).length)
      const { kappa, interval } = expectKappa(pairs)
      if (pairs.length < 20 || !Number.isFinite(kappa)) {
        assert.deepEqual([found.kappa, found.interval], [null, null])
        continue
      }
      assertClose(found.kappa, kappa, 'kappa')
      for (const [index, bound] of interval.entries()) assertClose(found.interval[index], bound, 'interval')
    }
    const counts = LABELS.map((label) => ({
      label,
      rows: model.filter(
        ({ verdicts, decision }) =>
          decision === undefined &&
          verdicts.some((answer) => typeof answer?.value === 'boolean' && answer.labels.includes(label)),
      ).length,
    }))
    assert.deepEqual(
      verdicts.labels,
      counts.filter(({ rows }) => rows > 0).sort((a, b) => b.rows - a.rows || (a.label < b.label ? -1 : 1)),
    )
    await checkClean()
  })
  const numRuns = testOptions.profile === 'full' ? 10 : 1
  await fc.assert(property, { numRuns, seed: testOptions.seed, endOnFailure: true })
})
