// The sample has to be valid, the same at every call, and odd in all the ways that a demo wants to show.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { sampleEvaluations, sampleVariants } from '../../sample/sample.ts'
import { Evaluation } from '../../src/schema/evaluations.ts'
import { VariantRevision } from '../../src/schema/revisions.ts'
import { EvaluationScenario } from '../../src/schema/scenarios.ts'

const variants = sampleVariants()
const evaluations = sampleEvaluations()
const everything = evaluations.flatMap((each) => each.scenarios)

function valid(schema: TSchema, value: unknown, name: string) {
  assert.ok(Value.Check(schema, value), `${name}: ${JSON.stringify(Value.Errors(schema, value))}`)
}

function keysOf(value: object): string {
  return Object.keys(value).join(' ')
}

function distinct<Item>(items: Item[]): number {
  return new Set(items).size
}

const INSTANT = /^2026-(09|10)-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('the sample', () => {
  it('is the same at every call', () => {
    assert.equal(JSON.stringify(sampleVariants()), JSON.stringify(variants))
    assert.equal(JSON.stringify(sampleEvaluations()), JSON.stringify(evaluations))
  })

  it('hands out records of its own at every call', () => {
    const first = sampleEvaluations()[0]?.scenarios[0]
    assert.ok(first)
    first.note = 'changed by the caller'
    assert.equal(JSON.stringify(sampleEvaluations()), JSON.stringify(evaluations))
  })

  it('survives a round trip through JSON', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(variants)), variants)
    assert.deepEqual(JSON.parse(JSON.stringify(evaluations)), evaluations)
  })
})

describe('the variants of the sample', () => {
  it('have 7, 5 and 4 revisions that fit the schema, and a message each', () => {
    assert.deepEqual(
      variants.map(({ id, revisions }) => [id, revisions.map((each) => each.revision)]),
      [
        ['support-answer', [1, 2, 3, 4, 5, 6, 7]],
        ['ticket-triage', [1, 2, 3, 4, 5]],
        ['reply-translator', [1, 2, 3, 4]],
      ],
    )
    for (const variant of variants) {
      for (const { message, ...revision } of variant.revisions) {
        valid(VariantRevision, revision, `${variant.id} ${revision.revision}`)
        assert.equal(keysOf(revision), 'revision modified_by config created_at')
        assert.equal(keysOf(revision.config), 'config_name parameters')
        assert.ok(message.length > 10)
      }
    }
  })

  it('really change from one revision to the next', () => {
    for (const { id, revisions } of variants) {
      assert.equal(
        distinct(revisions.map((each) => JSON.stringify(each.config.parameters))),
        revisions.length,
        id,
      )
    }
    const people = variants.flatMap(({ revisions }) => revisions.map((each) => each.modified_by))
    assert.ok(distinct(people) >= 2)
  })

  it('are dated in order', () => {
    for (const variant of variants) {
      const times = [variant.created_at, ...variant.revisions.map((each) => each.created_at)]
      assert.deepEqual(times, times.toSorted())
      for (const time of times) assert.match(time, INSTANT)
    }
  })

  it('take the rules on returns out in revision 5 of support-answer and put them back in 6', () => {
    const holds = variants[0]?.revisions.map((each) =>
      JSON.stringify(each.config.parameters).includes('30 days of delivery'),
    )
    assert.deepEqual(holds, [false, true, true, true, false, true, true])
  })
})

describe('the evaluations of the sample', () => {
  it('fit the schema, with their keys in its order', () => {
    for (const { evaluation, scenarios } of evaluations) {
      const whole = Type.Omit(Evaluation, ['scenario_count'])
      valid(whole, evaluation, evaluation.id)
      valid(Evaluation, { ...evaluation, scenario_count: scenarios.length }, evaluation.id)
      assert.equal(
        keysOf(evaluation),
        'id name variant_id revision baseline_id source created_at evaluators metadata',
      )
      for (const scenario of scenarios) {
        valid(EvaluationScenario, scenario, `${evaluation.id} ${scenario.id}`)
        assert.equal(scenario.evaluation_id, evaluation.id)
        assert.equal(
          keysOf(scenario),
          'id evaluation_id inputs outputs correct_answers is_pinned note results extra',
        )
      }
    }
  })

  it('are four of support-answer and one each of the others, with unique ids', () => {
    assert.deepEqual(
      evaluations.map(({ evaluation, scenarios }) => [evaluation.id, scenarios.length]),
      [
        ['support-answer-r3', 120],
        ['support-answer-r4', 120],
        ['ticket-triage-r4', 80],
        ['reply-translator-r3', 60],
        ['support-answer-r5', 120],
        ['support-answer-r6', 120],
      ],
    )
    for (const { evaluation, scenarios } of evaluations) {
      assert.equal(distinct(scenarios.map((each) => each.id)), scenarios.length, evaluation.id)
    }
  })

  it('ran after their revision, and after their baseline', () => {
    for (const { evaluation } of evaluations) {
      const variant = variants.find((each) => each.id === evaluation.variant_id)
      const revision = variant?.revisions.find((each) => each.revision === evaluation.revision)
      assert.ok(revision, evaluation.id)
      assert.match(evaluation.created_at, INSTANT)
      assert.ok(evaluation.created_at > revision.created_at, evaluation.id)
      const baseline = evaluations.find((each) => each.evaluation.id === evaluation.baseline_id)
      if (evaluation.baseline_id !== null) {
        assert.ok(baseline && baseline.evaluation.created_at < evaluation.created_at, evaluation.id)
      }
    }
  })

  it('score with the evaluators they name', () => {
    for (const { evaluation, scenarios } of evaluations) {
      const names = evaluation.evaluators?.map((each) => each.name)
      for (const { id, results } of scenarios) {
        if (results.length === 0) continue
        assert.deepEqual(
          results.map((each) => each.evaluator_config),
          names,
          `${evaluation.id} ${id}`,
        )
      }
    }
  })

  it('line the reasons up with the results', () => {
    const reasoned = everything.filter((each) => Array.isArray(each.extra?.results))
    assert.ok(reasoned.length > 300)
    for (const { id, extra, results } of reasoned) {
      assert.ok(Array.isArray(extra?.results) && extra.results.length === results.length, id)
    }
    assert.ok(everything.some((each) => each.extra === null))
  })
})

describe('the outputs of the sample', () => {
  const values = everything.flatMap((each) => each.outputs.map((output) => output.result.value))
  const texts = values.filter((value) => typeof value === 'string')

  it('hold JSON, empty texts, long texts and Markdown', () => {
    assert.ok(values.filter((value) => typeof value === 'object' && value !== null).length > 60)
    assert.ok(texts.includes(''))
    assert.ok(texts.some((text) => text.length > 2000))
    for (const mark of [/\n- /, /\n1\. /, /\*\*\w/, /\n\| --- \|/, /```\n/]) {
      assert.ok(
        texts.some((text) => mark.test(text)),
        String(mark),
      )
    }
  })

  it('are written in many scripts', () => {
    for (const script of ['Arabic', 'Devanagari', 'Hiragana', 'Han', 'Hangul', 'Cyrillic', 'Greek']) {
      assert.ok(
        texts.some((text) => new RegExp(`\\p{Script=${script}}`, 'u').test(text)),
        script,
      )
    }
    for (const letter of ['ß', 'ç', 'í', 'ł', 'ã', '🥾']) {
      assert.ok(
        texts.some((text) => text.includes(letter)),
        letter,
      )
    }
  })

  it('round money to 6 decimals and seconds to 3', () => {
    for (const { id, outputs } of everything) {
      for (const { cost, latency } of outputs) {
        if (cost != null) assert.equal(Number(cost.toFixed(6)), cost, id)
        if (latency != null) assert.equal(Number(latency.toFixed(3)), latency, id)
      }
    }
  })

  it('leave no slot unfilled', () => {
    for (const text of texts) assert.doesNotMatch(text, /\{(first|product|noun|order|name|delivered)\}/)
  })
})
