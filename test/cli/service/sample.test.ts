// Tests that the sample is valid, is stored as its files say, and contains every kind of data that a demo needs.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { loadSample } from '../../../src/cli/service/sample.ts'
import { Evaluation } from '../../../src/schema/evaluations.ts'
import { VariantRevision } from '../../../src/schema/revisions.ts'
import { EvaluationScenario } from '../../../src/schema/scenarios.ts'
import { runAssayCommand as runAssay } from '../../support/command-runner/run.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { sampleEvaluations, sampleVariants } from '../../support/sample.ts'

const variants = sampleVariants()
const evaluations = sampleEvaluations()
const allScenarios = evaluations.flatMap((each) => each.scenarios)

function assertValid(schema: TSchema, value: unknown, name: string) {
  assert.ok(Value.Check(schema, value), `${name}: ${JSON.stringify(Value.Errors(schema, value))}`)
}

function keysOf(value: object): string {
  return Object.keys(value).join(' ')
}

function countDistinct<Item>(items: Item[]): number {
  return new Set(items).size
}

const INSTANT = /^2026-(09|10)-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('the sample', () => {
  it('is stored exactly as in its files', async () => {
    const store = await createTestStore()
    await loadSample(store)
    const { baseUrl } = await startTestService(store)
    const { key } = await createTestKey(store)
    const read = async (path: string) =>
      JSON.parse((await sendRequest(baseUrl, `/api${path}`, { authorization: key })).text)
    for (const { revisions, ...variant } of variants) {
      const { id, name, created_at } = await read(`/variants/${variant.id}`)
      assert.deepEqual({ id, name, created_at }, variant)
      assert.deepEqual(await read(`/variants/${id}/revisions?include=message`), revisions)
    }
    for (const { evaluation } of evaluations) {
      const { stdout } = await runAssay(['export', evaluation.id, '--full', '--data', store.data])
      const file = new URL(`../../../sample/evaluations/${evaluation.id}.ndjson`, import.meta.url)
      assert.ok(stdout === readFileSync(file, 'utf8'), `the export of ${evaluation.id} differs from its file`)
    }
    const finished = await read('/reviews/support-answers-october')
    assert.deepEqual(finished.sample, { rows: 64, seed: 8057909 })
    assert.deepEqual(finished.filters, {})
    // Answers about rows outside the sample do not count.
    assert.deepEqual(finished.progress, { rows: 64, answered: 64, complete: 64, disputed: 2 })
    assert.equal(finished.results[0].pairs[0].rows, 31)
    const open = await read('/reviews/translated-replies')
    assert.deepEqual(open.progress, { rows: 20, answered: 9, complete: 4, disputed: 2 })
    assert.deepEqual(open.warnings, [])
  })
})

describe('the variants of the sample', () => {
  it('have 7, 5 and 4 revisions that match the schema and have a message', () => {
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
        assertValid(VariantRevision, revision, `${variant.id} ${revision.revision}`)
        assert.equal(keysOf(revision), 'revision modified_by config created_at')
        assert.equal(keysOf(revision.config), 'config_name parameters')
        assert.ok(message.length > 10)
      }
    }
  })

  it('have different parameters in every revision', () => {
    for (const { id, revisions } of variants) {
      assert.equal(
        countDistinct(revisions.map((each) => JSON.stringify(each.config.parameters))),
        revisions.length,
        id,
      )
    }
    const people = variants.flatMap(({ revisions }) => revisions.map((each) => each.modified_by))
    assert.ok(countDistinct(people) >= 2)
  })

  it('have increasing times', () => {
    for (const variant of variants) {
      const times = [variant.created_at, ...variant.revisions.map((each) => each.created_at)]
      assert.deepEqual(times, times.toSorted())
      for (const timestamp of times) assert.match(timestamp, INSTANT)
    }
  })

  it('omit the rules on returns in revision 5 of support-answer and restore them in 6', () => {
    const hasRule = variants[0]?.revisions.map((each) =>
      JSON.stringify(each.config.parameters).includes('30 days of delivery'),
    )
    assert.deepEqual(hasRule, [false, true, true, true, false, true, true])
  })
})

describe('the evaluations of the sample', () => {
  it('match the schema, including the order of members', () => {
    for (const { evaluation, scenarios } of evaluations) {
      assertValid(Evaluation, evaluation, evaluation.id)
      assert.equal(evaluation.scenario_count, scenarios.length)
      assert.equal(
        keysOf(evaluation),
        'id name variant_id revision baseline_id family label provider source created_at updated_at status scenario_count expected_count tags evaluators metadata',
      )
      for (const scenario of scenarios) {
        assertValid(EvaluationScenario, scenario, `${evaluation.id} ${scenario.id}`)
        assert.equal(scenario.evaluation_id, evaluation.id)
        assert.equal(
          keysOf(scenario),
          'id evaluation_id inputs outputs correct_answers is_pinned note results extra',
        )
      }
    }
  })

  it('are four for support-answer, five for ticket-triage and one for reply-translator, with unique scenario ids', () => {
    assert.deepEqual(
      evaluations.map(({ evaluation, scenarios }) => [evaluation.id, scenarios.length]),
      [
        ['support-answer-r3', 120],
        ['support-answer-r4', 120],
        ['ticket-triage-r4', 80],
        ['ticket-triage-r4-llama-3.1-8b', 80],
        ['ticket-triage-r4-gemini-1.5-flash', 80],
        ['ticket-triage-r4-gpt-4o-mini', 80],
        ['ticket-triage-r4-claude-3-5-haiku', 80],
        ['reply-translator-r3', 60],
        ['support-answer-r5', 120],
        ['support-answer-r6', 120],
      ],
    )
    for (const { evaluation, scenarios } of evaluations) {
      assert.equal(countDistinct(scenarios.map((each) => each.id)), scenarios.length, evaluation.id)
    }
  })

  it('of ticket-triage run the same tickets with five models', () => {
    const runs = evaluations.filter(({ evaluation }) => evaluation.variant_id === 'ticket-triage')
    assert.equal(countDistinct(runs.map(({ evaluation }) => evaluation.provider)), 5)
    const tickets = runs.map(({ scenarios }) =>
      JSON.stringify(scenarios.map(({ id, inputs, correct_answers }) => [id, inputs, correct_answers])),
    )
    assert.equal(countDistinct(tickets), 1)
  })

  it('take at most 1.5 MB', () => {
    const folder = new URL('../../../sample/evaluations/', import.meta.url)
    const sizes = evaluations.map(({ evaluation: { id } }) => statSync(new URL(`${id}.ndjson`, folder)).size)
    const total = sizes.reduce((sum, size) => sum + size, 0)
    assert.ok(total < 1_400_000, String(total))
  })

  it('are newer than their revision and their baseline', () => {
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

  it('have results of the declared evaluators, and those of people only on rows with answers', () => {
    for (const { evaluation, scenarios } of evaluations) {
      const declared = evaluation.evaluators ?? []
      const names = declared.map((each) => each.name)
      const automatic = declared.filter((each) => each.kind !== 'human').map((each) => each.name)
      for (const { id, results, extra } of scenarios) {
        if (results.length === 0) continue
        const answers = (extra?.answers ?? []) as { evaluator: string }[]
        const reviewed = new Set(answers.map(({ evaluator }) => evaluator))
        const stored = results.map((each) => each.evaluator_config)
        const expected = names.filter(
          (name) => automatic.includes(name) || (reviewed.has(name) && stored.includes(name)),
        )
        assert.deepEqual(stored, expected, `${evaluation.id} ${id}`)
      }
    }
  })

  it('have one reason entry per result', () => {
    const withReasons = allScenarios.filter((each) => Array.isArray(each.extra?.results))
    assert.ok(withReasons.length > 300)
    for (const { id, extra, results } of withReasons) {
      assert.ok(Array.isArray(extra?.results) && extra.results.length === results.length, id)
    }
    assert.ok(allScenarios.some((each) => each.extra === null))
  })
})

describe('the outputs of the sample', () => {
  const values = allScenarios.flatMap((each) => each.outputs.map((output) => output.result.value))
  const texts = values.filter((value) => typeof value === 'string')

  it('contain JSON, empty texts, long texts and Markdown', () => {
    assert.ok(values.filter((value) => typeof value === 'object' && value !== null).length > 60)
    assert.ok(texts.includes(''))
    assert.ok(texts.some((text) => text.length > 2000))
    for (const pattern of [/\n- /, /\n1\. /, /\*\*\w/, /\n\| --- \|/, /```\n/]) {
      assert.ok(
        texts.some((text) => pattern.test(text)),
        String(pattern),
      )
    }
  })

  it('contain many scripts', () => {
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

  it('have costs with at most 6 decimals and latencies with at most 3', () => {
    for (const { id, outputs } of allScenarios) {
      for (const { cost, latency } of outputs) {
        if (cost != null) assert.equal(Number(cost.toFixed(6)), cost, id)
        if (latency != null) assert.equal(Number(latency.toFixed(3)), latency, id)
      }
    }
  })

  it('contain no unfilled slots', () => {
    for (const text of texts) assert.doesNotMatch(text, /\{(first|product|noun|order|name|delivered)\}/)
  })
})
