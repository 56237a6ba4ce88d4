// Unit tests of the variant pages: parameter paths, change labels, metrics and the plot layout.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { compareObjects } from '../../src/json/changes.ts'
import { JsonNode } from '../../src/json/json-node.ts'
import { parseExactly } from '../../web/src/format/exact-json.ts'
import { plotSummary, targetLabel } from '../../web/src/pages/variant/plot-labels.ts'
import { plotLayout, TARGET_SIZE, tickValues } from '../../web/src/pages/variant/plot-layout.ts'
import type { Revision, RevisionEvaluation } from '../../web/src/queries/variants.ts'
import { changeLabelsOf } from '../../web/src/revisions/change-labels.ts'
import { baselinesOf, metricsOf, selectedMetric } from '../../web/src/revisions/metrics.ts'
import { isWithin, parametersOf, valueAt } from '../../web/src/revisions/parameter-paths.ts'
import { numberChange, valueLabel } from '../../web/src/revisions/value-labels.ts'

type Score = RevisionEvaluation['scores']['evaluators'][number]

function evaluationOf(
  id: string,
  scores: Partial<Score>[] = [],
  cost: number | null = null,
): RevisionEvaluation {
  return {
    id,
    name: null,
    created_at: '2026-01-01T00:00:00.000Z',
    scenario_count: 10,
    scores: {
      output_errors: 0,
      cost: { n: 10, total: cost === null ? null : cost * 10, mean: cost },
      latency: { n: 0, mean: null, p50: null },
      evaluators: scores.map((score) => ({
        name: 'exact',
        higher_is_better: true,
        n: 10,
        errors: 0,
        mean: null,
        pass_rate: null,
        ...score,
      })),
    },
  }
}

function revisionOf(
  revision: number,
  evaluations: RevisionEvaluation[] = [],
  rest: Partial<Revision> = {},
): Revision {
  const config = { config_name: 'x', parameters: {} }
  return {
    revision,
    modified_by: 'ana',
    created_at: '2026-01-01T00:00:00.000Z',
    config,
    evaluations,
    message: null,
    text: '',
    ...rest,
  }
}

const passing = (rate: number) => [{ mean: rate, pass_rate: rate }]

describe('parameters', () => {
  test('have the same paths as in the API, and are found by them', async () => {
    const member = fc.oneof(
      fc.constantFrom('a', 'b-c', 'x.y', '0', '', '__proto__', 'constructor'),
      // No names with JSON escapes: the JSON parser of this Node (V8 14.6) can confuse them with other names. src/json/parse.ts
      // works around it; browsers do not need that.
      fc.string().filter((name) => !JSON.stringify(name).includes('\\')),
    )
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        fc.jsonValue({ maxDepth: 0 }),
        fc.array(tie('json')),
        fc.dictionary(member, tie('json')),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(fc.dictionary(member, json), async (parameters) => {
        const text = JSON.stringify(parameters)
        const { changes } = await compareObjects(JsonNode.of('{}'), JsonNode.of(text), 10_000)
        const parsed = parseExactly(text)
        const paths = parametersOf(parsed).map(({ path }) => path)
        assert.deepEqual(paths.toSorted(), changes.map(({ path }) => path).toSorted())
        for (const { path, new: newText } of changes)
          assert.equal(JSON.stringify(valueAt(parsed, path)), newText)
      }),
      { numRuns: 50 },
    )
  })

  test('have no value for missing paths, including inherited names', () => {
    assert.equal(valueAt({ a: [1] }, 'a[1]'), undefined)
    assert.equal(valueAt({}, 'constructor'), undefined)
    assert.ok(isWithin('stop[0]', 'stop') && isWithin('stop', 'stop') && !isWithin('stops', 'stop'))
  })

  test('are labeled without quotes unless the text looks like another value', () => {
    assert.deepEqual(['gpt-x', '0.2', 'true', '', ' a', '[x'].map(valueLabel), [
      'gpt-x',
      '"0.2"',
      '"true"',
      '""',
      '" a"',
      '"[x"',
    ])
    assert.equal(valueLabel(parseExactly('[9007199254740993,1.10]')), '[9007199254740993,1.10]')
  })

  test('have a rounded difference if they are numbers with exact differences', () => {
    assert.equal(numberChange(0.2, 0.3), '+0.1')
    assert.equal(numberChange(1200, 220), '−980')
    assert.equal(numberChange('1', 2), undefined)
    const [old, newText] = parseExactly('[9007199254740993,9007199254740995]') as [unknown, unknown]
    assert.equal(numberChange(old, newText), undefined)
  })
})

describe('change labels', () => {
  const change = (path: string, kind: 'added' | 'removed' | 'changed' | 'moved', rest = {}) => ({
    path,
    kind,
    old_path: null,
    lines: null,
    ...rest,
  })
  const labelsOf = (
    parameters: [old: object, now: object],
    changes: object[],
    names: object | null = null,
  ) => {
    const oldRevision = revisionOf(1, [], { config: { config_name: 'x', parameters: { ...parameters[0] } } })
    const newRevision = revisionOf(2, [], {
      config: { config_name: 'y', parameters: { ...parameters[1] } },
      changes: { against: 1, config_name: names, parameter_count: 9, change_count: changes.length, changes },
    } as Partial<Revision>)
    return changeLabelsOf(newRevision, oldRevision).labels.map(({ path, text }) =>
      path ? `${path} ${text}` : text,
    )
  }

  test('contain short values, line counts and old paths', () => {
    assert.deepEqual(
      labelsOf(
        [
          { model: 'gpt-w', gone: null, prompt: 'a\nb', tools: ['a'] },
          { model: 'gpt-x', seed: 7, prompt: 'a\nc', tools: ['a'] },
        ],
        [
          change('model', 'changed'),
          change('seed', 'added'),
          change('gone', 'removed'),
          change('prompt', 'changed', { lines: { added: 2, removed: 28 } }),
          change('tools[1]', 'moved', { old_path: 'tools[0]' }),
        ],
      ),
      [
        'model gpt-w → gpt-x',
        'seed added 7',
        'gone removed, was null',
        'prompt +2 −28 lines',
        'tools[1] moved from tools[0]',
      ],
    )
  })

  test('do not show wrong digits of large numbers', () => {
    const large = JSON.parse('{"seed":9007199254740993}')
    const seed = [change('seed', 'changed')]
    assert.deepEqual(labelsOf([large, JSON.parse('{"seed":9007199254740992}')], seed), ['seed changed'])
    assert.deepEqual(labelsOf([{ seed: 2 }, large], seed), ['seed 2 → ≈ 9.007e+15'])
  })

  test('name unchanged, renamed and first revisions', () => {
    const names = { old: 'a', new: 'b' }
    assert.deepEqual(labelsOf([{}, {}], []), ['no parameter changed'])
    assert.deepEqual(labelsOf([{}, {}], [], names), ['no parameter changed (renamed a → b)'])
    assert.deepEqual(labelsOf([{}, { a: 1 }], [change('a', 'added')], names), ['a added 1', 'renamed a → b'])
    const firstRevision = revisionOf(1, [], {
      changes: null,
      config: { config_name: 'x', parameters: { a: [1, {}] } },
    })
    assert.deepEqual(changeLabelsOf(firstRevision, undefined).labels, [{ text: 'created with 2 parameters' }])
  })
})

describe('metrics', () => {
  test('use the pass rate if every evaluation has one, and the mean otherwise', () => {
    const mixed = [
      revisionOf(1, [evaluationOf('a', passing(0.5))]),
      revisionOf(2, [evaluationOf('b', [{ mean: 3 }])]),
    ]
    const [metric] = metricsOf(mixed)
    assert.deepEqual([metric?.kind, metric?.valueIn(evaluationOf('c', passing(0.5)))], ['mean', 0.5])
    assert.equal(metricsOf(mixed.slice(0, 1))[0]?.kind, 'pass rate')
    // With lower scores better, the pass rate would have the opposite direction.
    const lower = [
      revisionOf(1, [evaluationOf('a', [{ mean: 0.2, pass_rate: 0.9, higher_is_better: false }])]),
    ]
    assert.deepEqual([metricsOf(lower)[0]?.kind, metricsOf(lower)[0]?.higherIsBetter], ['mean', false])
  })

  test('are selected by the URL or else by pass rate, and omit metrics without values', () => {
    const scores = [{ name: 'words', mean: 7 }, { name: 'exact', ...passing(0.5)[0] }, { name: 'label' }]
    const metrics = metricsOf([revisionOf(1, [evaluationOf('a', scores, 0.01)])])
    assert.deepEqual(
      metrics.map(({ name }) => name),
      ['words', 'exact', 'cost'],
    )
    assert.equal(selectedMetric(metrics, {})?.name, 'exact')
    assert.equal(selectedMetric(metrics, { on: 'words' })?.name, 'words')
    assert.equal(selectedMetric(metrics, { figure: 'cost' })?.name, 'cost')
    assert.equal(selectedMetric([], {}), undefined)
  })

  test('are compared with the newest evaluation of the nearest earlier revision that has a value', () => {
    const revisions = [
      revisionOf(1, [evaluationOf('newest', passing(0.5)), evaluationOf('older', passing(0.9))]),
      revisionOf(4),
      revisionOf(5, [evaluationOf('c', passing(0.7))]),
    ]
    const [metric] = metricsOf(revisions)
    assert.ok(metric)
    const baselines = baselinesOf(revisions, metric)
    assert.equal(baselines.get(1), undefined)
    assert.deepEqual([baselines.get(4), baselines.get(5)], new Array(2).fill({ revision: 1, value: 0.5 }))
    assert.match(
      plotSummary(revisions, metric),
      /2 of 3 revisions: from 50 % in r1 to 70 % in r5, best 70 % in r5\.$/,
    )
  })
})

describe('the plot', () => {
  const size = { width: 1400, height: 200 }
  const layoutFor = (revisions: Revision[]) => {
    const [metric] = metricsOf(revisions)
    assert.ok(metric)
    return { metric, ...plotLayout(revisions, metric, size) }
  }

  test('has round ticks that enclose all values, also if all are equal, 0 or 1', () => {
    assert.deepEqual(tickValues([0.701, 0.941], true), [0.7, 0.8, 0.9, 1])
    assert.deepEqual(tickValues([0.6, 0.6], true), [0.55, 0.6, 0.65])
    assert.deepEqual(tickValues([1], true), [0.95, 1])
    assert.deepEqual(tickValues([0], true), [0, 0.5])
    for (const values of [[-3, 8], [1e-9, 2e-9], [1e300, 2e300], [5]]) {
      const ticks = tickValues(values, false)
      assert.ok(
        (ticks[0] ?? 0) <= Math.min(...values) && (ticks.at(-1) ?? 0) >= Math.max(...values),
        String(ticks),
      )
      assert.ok(ticks.length >= 2 && ticks.length <= 8, String(ticks))
    }
  })

  test('places overlapping dots side by side, or merges them into one target', () => {
    const close = [
      evaluationOf('a', passing(0.5)),
      evaluationOf('b', passing(0.501)),
      evaluationOf('c', passing(0.9)),
    ]
    const roomy = layoutFor([revisionOf(1, close)])
    assert.equal(roomy.targets.length, 3)
    assert.equal(new Set(roomy.targets.map(({ x }) => x)).size, 2)
    const crowded = layoutFor(
      Array.from({ length: 300 }, (_, index) => revisionOf(index, index === 7 ? close : [])),
    )
    assert.deepEqual(crowded.targets.map(({ dots }) => dots.length).sort(), [1, 2])
    const [together] = crowded.targets.filter(({ dots }) => dots.length === 2)
    assert.ok(together)
    assert.equal(
      targetLabel(together, crowded.metric, undefined),
      '2 evaluations close together, exact 50 % to 50.1 %, revision 7',
    )
    assert.ok(crowded.column >= TARGET_SIZE)
    assert.ok(crowded.columns.at(-1)?.hasLabel)
    assert.ok(crowded.columns.filter(({ hasLabel }) => hasLabel).length < 300)
  })

  test('labels a dot with its evaluation, value, revision and direction', () => {
    const revisions = [
      revisionOf(1, [evaluationOf('one', [{ mean: 0.2, higher_is_better: false }])]),
      revisionOf(2, [evaluationOf('two', [{ mean: 0.3, higher_is_better: false }])]),
    ]
    const { targets, metric } = layoutFor(revisions)
    const target = targets.find(({ dots: [dot] }) => dot.revision.revision === 2)
    assert.ok(target)
    const name = targetLabel(target, metric, baselinesOf(revisions, metric).get(2))
    assert.equal(name, 'two, exact 0.3, revision 2, worse than r1')
  })
})
