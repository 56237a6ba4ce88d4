// The four evaluations of support-answer in the sample tell a story: revision 5 loses the returns, 6 regains
// them. Each of them holds the failures that a demo wants to show.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sampleEvaluations } from '../../sample/sample.ts'
import { supportTestSet } from '../../sample/support/test-set.ts'
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'

const evaluations = sampleEvaluations()
const support = [3, 4, 5, 6].map((revision) => scenariosOf(`support-answer-r${revision}`))

function scenariosOf(id: string): EvaluationScenario[] {
  const found = evaluations.find((each) => each.evaluation.id === id)
  assert.ok(found, id)
  return found.scenarios
}

function resultOf(scenario: EvaluationScenario, evaluator: string) {
  return scenario.results.find((each) => each.evaluator_config === evaluator)?.result
}

function hasFailed(scenario: EvaluationScenario): boolean {
  return scenario.outputs.some((output) => output.result.type === 'error')
}

function distinct<Item>(items: Item[]): number {
  return new Set(items).size
}

describe('the support test set', () => {
  it('is the same in all four evaluations', () => {
    const asked = support.map((scenarios) =>
      JSON.stringify(scenarios.map(({ id, inputs, correct_answers }) => [id, inputs, correct_answers])),
    )
    assert.equal(distinct(asked), 1)
  })

  it('asks 120 different questions on 12 topics', () => {
    const scenarios = support[0] ?? []
    const input = (name: string) =>
      scenarios.map((each) => each.inputs.find((one) => one.name === name)?.value)
    assert.equal(distinct(input('question')), 120)
    assert.equal(distinct(input('topic')), 12)
    assert.ok(distinct(input('language')) >= 8)
  })

  it('is written so that right answers hold the words they are known by', () => {
    for (const { id, written } of supportTestSet()) {
      for (const text of [written.answer, written.plain, written.brief]) {
        assert.ok(text === undefined || text.includes(written.mention), `${id}: ${text}`)
      }
      for (const { text } of written.wrong) assert.notEqual(text, written.answer)
    }
  })
})

describe('the four evaluations of support-answer', () => {
  const isMoneyBack = ({ id }: EvaluationScenario) => /^(returns|refunds|exchanges)-/.test(id)
  const rightOnes = (scenarios: EvaluationScenario[]) =>
    scenarios.filter((each) => resultOf(each, 'answer_correct')?.value === true).length
  const mean = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
  const costOf = (scenarios: EvaluationScenario[]) =>
    mean(scenarios.flatMap((each) => each.outputs.map((output) => output.cost ?? 0)))
  const latencyOf = (scenarios: EvaluationScenario[]) =>
    mean(scenarios.filter((each) => !hasFailed(each)).map((each) => each.outputs[0]?.latency ?? 0))
  const [third = [], fourth = [], fifth = [], sixth = []] = support

  it('lose the returns in revision 5 and regain them in 6', () => {
    const [before, after, mended] = [fourth, fifth, sixth].map((each) => rightOnes(each.filter(isMoneyBack)))
    assert.ok(before !== undefined && after !== undefined && mended !== undefined)
    assert.ok(after < before - 15, `${after} after ${before}`)
    assert.ok(mended > after + 15, `${mended} after ${after}`)
  })

  it('gain a little elsewhere in revision 5: right, cheap and fast', () => {
    const [before = [], after = []] = [fourth, fifth].map((each) => each.filter((row) => !isMoneyBack(row)))
    assert.ok(rightOnes(after) >= rightOnes(before))
    assert.ok(costOf(after) < costOf(before))
    assert.ok(latencyOf(after) < latencyOf(before))
    assert.ok(rightOnes(fourth) > rightOnes(third))
  })

  it('hold failed outputs with a stack trace and nothing scored', () => {
    for (const scenarios of support) {
      const failed = scenarios.filter(hasFailed)
      assert.ok(failed.length >= 2 && failed.length <= 5, String(failed.length))
      for (const { id, outputs, results } of failed) {
        assert.match(outputs[0]?.result.error?.stacktrace ?? '', /^Traceback .*\n(.*\n)+\w+\.\w+Error: /, id)
        assert.equal(outputs[0]?.result.value, null)
        assert.equal(outputs[0]?.cost ?? null, null)
        for (const each of results) assert.equal(each.result.value, null)
      }
    }
  })

  it('hold evaluator errors beside good outputs', () => {
    for (const scenarios of support) {
      const broken = scenarios.flatMap((each) => each.results.filter(({ result }) => result.type === 'error'))
      assert.ok(broken.length >= 1 && broken.length <= 4, String(broken.length))
      assert.ok(
        scenarios
          .filter((each) => each.results.some((one) => one.result.type === 'error'))
          .every((each) => !hasFailed(each)),
      )
    }
  })

  it('hold unscored rows, scores of exactly 0, pins and notes', () => {
    for (const scenarios of support) {
      const answered = scenarios.filter((each) => !hasFailed(each))
      assert.ok(answered.some((each) => resultOf(each, 'faithfulness')?.value === null))
      assert.ok(answered.some((each) => resultOf(each, 'faithfulness')?.value === 0))
      const pinned = scenarios.filter((each) => each.is_pinned === true).length
      const noted = scenarios.filter((each) => each.note !== null).length
      assert.ok(pinned >= 3 && pinned <= 8 && noted >= 3 && noted <= 8, `${pinned} ${noted}`)
    }
    assert.ok(fourth.some((each) => each.results.length === 0))
    assert.ok(third.some((each) => each.is_pinned === null))
    assert.ok(fourth.some((each) => each.is_pinned === false))
  })

  it('pass no unfaithful answer without a note by somebody who saw it', () => {
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
