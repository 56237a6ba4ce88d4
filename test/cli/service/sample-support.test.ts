// Tests the four support-answer evaluations of the sample: revision 5 has a regression on returns, revision 6 fixes it,
// its judge fails correct answers in other languages, and each evaluation contains the kinds of failures that a demo needs.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EvaluationScenario } from '../../../src/schema/scenarios.ts'
import { sampleEvaluations } from '../../support/sample.ts'

const evaluations = sampleEvaluations()
const support = [3, 4, 5, 6].map((revision) => scenariosOf(`support-answer-r${revision}`))

function scenariosOf(id: string): EvaluationScenario[] {
  const match = evaluations.find(({ evaluation }) => evaluation.id === id)
  assert.ok(match, id)
  return match.scenarios
}

function resultOf(scenario: EvaluationScenario, evaluator: string) {
  return scenario.results.find((row) => row.evaluator_config === evaluator)?.result
}

function hasFailed(scenario: EvaluationScenario): boolean {
  return scenario.outputs.some((output) => output.result.type === 'error')
}

function distinct<Item>(items: Item[]): number {
  return new Set(items).size
}

describe('the support test set', () => {
  it('is the same in all four evaluations', () => {
    const testSets = support.map((scenarios) =>
      JSON.stringify(scenarios.map(({ id, inputs, correct_answers }) => [id, inputs, correct_answers])),
    )
    assert.equal(distinct(testSets), 1)
  })

  it('contains 120 different questions on 12 topics', () => {
    const scenarios = support[0] ?? []
    const input = (name: string) =>
      scenarios.map((scenario) => scenario.inputs.find((item) => item.name === name)?.value)
    assert.equal(distinct(input('question')), 120)
    assert.equal(distinct(input('topic')), 12)
    assert.ok(distinct(input('language')) >= 8)
  })

  it('has its mention in every answer that is marked as correct, unless a note disagrees', () => {
    for (const row of support.flat()) {
      const mention = row.correct_answers?.find(({ key }) => key === 'must_mention')?.value
      if (mention === undefined || row.note !== null) continue
      if (resultOf(row, 'answer_correct')?.value !== true) continue
      const answer = row.outputs[0]?.result.value
      assert.ok(String(answer).includes(String(mention)), `${row.evaluation_id} ${row.id}: ${answer}`)
    }
  })
})

describe('the four evaluations of support-answer', () => {
  const isAboutReturns = ({ id }: EvaluationScenario) => /^(returns|refunds|exchanges)-/.test(id)
  const correctCount = (scenarios: EvaluationScenario[]) =>
    scenarios.filter((row) => resultOf(row, 'answer_correct')?.value === true).length
  const mean = (numbers: number[]) => numbers.reduce((sum, row) => sum + row, 0) / numbers.length
  const meanCost = (scenarios: EvaluationScenario[]) =>
    mean(scenarios.flatMap((row) => row.outputs.map((output) => output.cost ?? 0)))
  const meanLatency = (scenarios: EvaluationScenario[]) =>
    mean(scenarios.filter((row) => !hasFailed(row)).map((row) => row.outputs[0]?.latency ?? 0))
  const [third = [], fourth = [], fifth = [], sixth = []] = support

  it('have a regression on returns in revision 5, which revision 6 fixes', () => {
    const [before, after, fixed] = [fourth, fifth, sixth].map((row) =>
      correctCount(row.filter(isAboutReturns)),
    )
    assert.ok(before !== undefined && after !== undefined && fixed !== undefined)
    assert.ok(after < before - 15, `${after} after ${before}`)
    assert.ok(fixed > after + 15, `${fixed} after ${after}`)
  })

  it('improve on other topics in revision 5: more correct, cheaper and faster', () => {
    const [before = [], after = []] = [fourth, fifth].map((row) => row.filter((row) => !isAboutReturns(row)))
    assert.ok(correctCount(after) >= correctCount(before))
    assert.ok(meanCost(after) < meanCost(before))
    assert.ok(meanLatency(after) < meanLatency(before))
    assert.ok(correctCount(fourth) > correctCount(third))
  })

  it('contain failed outputs with a stack trace and without scores', () => {
    for (const scenarios of support) {
      const failedScenarios = scenarios.filter(hasFailed)
      assert.ok(failedScenarios.length >= 2 && failedScenarios.length <= 5, String(failedScenarios.length))
      for (const { id, outputs, results } of failedScenarios) {
        assert.match(outputs[0]?.result.error?.stacktrace ?? '', /^Traceback .*\n(.*\n)+\w+\.\w+Error: /, id)
        assert.equal(outputs[0]?.result.value, null)
        assert.equal(outputs[0]?.cost ?? null, null)
        for (const row of results) assert.equal(row.result.value, null)
      }
    }
  })

  it('contain evaluator errors on successful outputs', () => {
    for (const scenarios of support) {
      const errors = scenarios.flatMap((row) => row.results.filter(({ result }) => result.type === 'error'))
      assert.ok(errors.length >= 1 && errors.length <= 4, String(errors.length))
      assert.ok(
        scenarios
          .filter((row) => row.results.some(({ result }) => result.type === 'error'))
          .every((row) => !hasFailed(row)),
      )
    }
  })

  it('contain unscored rows, scores of exactly 0, pins and notes', () => {
    for (const scenarios of support) {
      const succeeded = scenarios.filter((row) => !hasFailed(row))
      assert.ok(succeeded.some((row) => resultOf(row, 'faithfulness')?.value === null))
      assert.ok(succeeded.some((row) => resultOf(row, 'faithfulness')?.value === 0))
      const pinned = scenarios.filter((row) => row.is_pinned === true).length
      const noted = scenarios.filter((row) => row.note !== null).length
      assert.ok(pinned >= 3 && pinned <= 8 && noted >= 3 && noted <= 8, `${pinned} ${noted}`)
    }
    assert.ok(fourth.some((row) => row.results.length === 0))
    assert.ok(third.some((row) => row.is_pinned === null))
    assert.ok(fourth.some((row) => row.is_pinned === false))
  })

  it('have a note on every unfaithful answer that is marked as correct', () => {
    for (const row of support.flat()) {
      const faithfulness = resultOf(row, 'faithfulness')?.value
      if (typeof faithfulness === 'number' && faithfulness < 0.2) {
        assert.ok(
          resultOf(row, 'answer_correct')?.value !== true || row.note !== null,
          `${row.evaluation_id} ${row.id}`,
        )
      }
    }
  })
})

describe('the judge of support-answer-r6', () => {
  const rows = scenariosOf('support-answer-r6').map((row) => {
    const judge = resultOf(row, 'judge')?.value
    const person = resultOf(row, 'human_verdict')?.value
    return {
      id: row.id,
      isEnglish: row.inputs.find(({ name }) => name === 'language')?.value === 'en',
      isCorrect: resultOf(row, 'answer_correct')?.value === true,
      score: typeof judge === 'number' ? judge : undefined,
      verdict: typeof person === 'boolean' ? person : undefined,
      details: (row.extra?.results ?? []) as ({ reason?: string; by?: string } | null)[],
      answerCount: ((row.extra?.answers ?? []) as unknown[]).length,
      resultCount: row.results.length,
      hasFailed: hasFailed(row),
    }
  })
  const reviewed = rows.filter((row) => row.verdict !== undefined)
  const passes = (row: { score: number | undefined }, threshold = 0.7) => (row.score ?? 0) >= threshold
  const disagreements = reviewed.filter((row) => passes(row) !== row.verdict)

  /** Cohen's kappa of the judge and people: 1 - observed / expected disagreement. */
  function kappaAt(threshold: number): number {
    const total = reviewed.length
    const judgePasses = reviewed.filter((row) => passes(row, threshold)).length
    const personPasses = reviewed.filter((row) => row.verdict === true).length
    const observed = reviewed.filter((row) => passes(row, threshold) !== row.verdict).length
    const expected = judgePasses * (total - personPasses) + personPasses * (total - judgePasses)
    return 1 - (observed * total) / expected
  }

  it('is declared as a model with a threshold, next to the verdicts of people', () => {
    const sixth = evaluations.find(({ evaluation }) => evaluation.id === 'support-answer-r6')
    assert.deepEqual(sixth?.evaluation.evaluators?.slice(4), [
      { name: 'judge', higher_is_better: true, threshold: 0.7, kind: 'model' },
      { name: 'human_verdict', kind: 'human' },
    ])
  })

  it('has a score for every output, and 62 of the 64 reviewed rows have the verdict of named people', () => {
    for (const { id, score, hasFailed } of rows) assert.equal(score === undefined, hasFailed, id)
    assert.equal(reviewed.length, 62)
    assert.equal(rows.filter(({ answerCount }) => answerCount > 0).length, 64)
    for (const { id, details, resultCount } of reviewed)
      assert.match(details[resultCount - 1]?.by ?? '', /^\p{Lu}\p{Ll}+(, \p{Lu}\p{Ll}+)?$/u, id)
    const names = reviewed.map(({ details }) => details.at(-1)?.by)
    assert.deepEqual([...new Set(names)].sort(), ['Anke', 'Mira', 'Mira, Tomás', 'Tomás'])
  })

  it('fails every correct answer in another language, and passes three wrong answers in English', () => {
    const [english, other] = [true, false].map((isEnglish) =>
      disagreements.filter((row) => row.isEnglish === isEnglish),
    )
    assert.equal(other?.length, rows.filter((row) => !row.isEnglish).length)
    assert.ok(
      other.every((row) => row.verdict === true && row.score && row.score >= 0.5 && row.score <= 0.65),
    )
    assert.equal(english?.length, 3)
    assert.ok(english.every((row) => row.verdict === false))
  })

  it('agrees with people much better with a lower threshold', () => {
    const scores = [...new Set(reviewed.map((row) => row.score ?? 0))]
    const best = scores.toSorted((a, b) => kappaAt(b) - kappaAt(a))[0] ?? 0
    assert.ok(kappaAt(0.7) > 0.3 && kappaAt(0.7) < 0.5, String(kappaAt(0.7)))
    assert.ok(best >= 0.5 && best < 0.6, String(best))
    assert.ok(kappaAt(best) > 0.75, String(kappaAt(best)))
  })

  it('has a reason for every verdict of people that differs from answer_correct', () => {
    const different = reviewed.filter((row) => row.verdict !== row.isCorrect)
    assert.ok(different.length >= 3 && different.length <= 6, String(different.length))
    for (const { id, details } of different) assert.ok((details.at(-1)?.reason ?? '').length > 20, id)
  })
})
