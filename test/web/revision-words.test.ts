// What the history of a variant says without a browser: what changed in words, what is measured, where dots stand.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { compareObjects } from '../../src/json/changes.ts'
import { Part } from '../../src/json/outline.ts'
import { parseExactly } from '../../web/src/format/exact.ts'
import { isWithin, parametersOf, valueAt } from '../../web/src/revision/paths.ts'
import { stepOf, wordsOf } from '../../web/src/revision/value-words.ts'
import { changesOf } from '../../web/src/variant/changes.ts'
import { basesOf, chosenMeasure, measuresOf } from '../../web/src/variant/measures.ts'
import { plotLayout, TARGET, tickValues } from '../../web/src/variant/plot-layout.ts'
import type { RanIt, Revision } from '../../web/src/variant/questions.ts'
import { summaryOf, targetName } from '../../web/src/variant/words.ts'

type Score = RanIt['scores']['evaluators'][number]

function ran(id: string, scores: Partial<Score>[] = [], cost: number | null = null): RanIt {
  return {
    id,
    name: null,
    created_at: '2026-01-01T00:00:00.000Z',
    scenario_count: 10,
    scores: {
      output_errors: 0,
      cost: { n: 10, total: cost === null ? null : cost * 10, mean: cost },
      latency: { n: 0, mean: null, p50: null },
      evaluators: scores.map((one) => ({
        name: 'exact',
        higher_is_better: true,
        n: 10,
        errors: 0,
        mean: null,
        pass_rate: null,
        ...one,
      })),
    },
  }
}

function revisionOf(revision: number, evaluations: RanIt[] = [], rest: Partial<Revision> = {}): Revision {
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
  test('have the paths that the API gives them, and are found by those', async () => {
    const member = fc.oneof(
      fc.constantFrom('a', 'b-c', 'x.y', '0', '', '__proto__', 'constructor'),
      // None that JSON writes with an escape: the parser of this Node (V8 14.6) may take it for another name. src/json/parse.ts
      // has a way around it, which a browser does not need.
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
        const { changes } = await compareObjects(Part.of('{}'), Part.of(text), 10_000)
        const parsed = parseExactly(text)
        const paths = parametersOf(parsed).map(({ path }) => path)
        assert.deepEqual(paths.toSorted(), changes.map(({ path }) => path).toSorted())
        for (const { path, new: now } of changes) assert.equal(JSON.stringify(valueAt(parsed, path)), now)
      }),
      { numRuns: 50 },
    )
  })

  test('what is not there is undefined, also where every object has it', () => {
    assert.equal(valueAt({ a: [1] }, 'a[1]'), undefined)
    assert.equal(valueAt({}, 'constructor'), undefined)
    assert.ok(isWithin('stop[0]', 'stop') && isWithin('stop', 'stop') && !isWithin('stops', 'stop'))
  })

  test('a text stands without quotes where nothing else looks like it', () => {
    assert.deepEqual(['gpt-x', '0.2', 'true', '', ' a', '[x'].map(wordsOf), [
      'gpt-x',
      '"0.2"',
      '"true"',
      '""',
      '" a"',
      '"[x"',
    ])
    assert.equal(wordsOf(parseExactly('[9007199254740993,1.10]')), '[9007199254740993,1.10]')
  })

  test('a number that changed says by how much, without dust, and not where digits would be lost', () => {
    assert.equal(stepOf(0.2, 0.3), '+0.1')
    assert.equal(stepOf(1200, 220), '−980')
    assert.equal(stepOf('1', 2), undefined)
    const [old, now] = parseExactly('[9007199254740993,9007199254740995]') as [unknown, unknown]
    assert.equal(stepOf(old, now), undefined)
  })
})

describe('what a revision changed', () => {
  const change = (path: string, kind: 'added' | 'removed' | 'changed' | 'moved', rest = {}) => ({
    path,
    kind,
    old_path: null,
    lines: null,
    ...rest,
  })
  const said = (parameters: [old: object, now: object], changes: object[], names: object | null = null) => {
    const before = revisionOf(1, [], { config: { config_name: 'x', parameters: { ...parameters[0] } } })
    const after = revisionOf(2, [], {
      config: { config_name: 'y', parameters: { ...parameters[1] } },
      changes: { against: 1, config_name: names, parameter_count: 9, change_count: changes.length, changes },
    } as Partial<Revision>)
    return changesOf(after, before).phrases.map(({ path, words }) => (path ? `${path} ${words}` : words))
  }

  test('is said with short values, counts of lines, and where things came from', () => {
    assert.deepEqual(
      said(
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

  test('a number with more digits than can be shown here is not shown wrong', () => {
    const large = JSON.parse('{"seed":9007199254740993}')
    const seed = [change('seed', 'changed')]
    assert.deepEqual(said([large, JSON.parse('{"seed":9007199254740992}')], seed), ['seed changed'])
    assert.deepEqual(said([{ seed: 2 }, large], seed), ['seed 2 → ≈ 9.007e+15'])
  })

  test('nothing, a new name, and the first one have words of their own', () => {
    const names = { old: 'a', new: 'b' }
    assert.deepEqual(said([{}, {}], []), ['no parameter changed'])
    assert.deepEqual(said([{}, {}], [], names), ['no parameter changed (renamed a → b)'])
    assert.deepEqual(said([{}, { a: 1 }], [change('a', 'added')], names), ['a added 1', 'renamed a → b'])
    const first = revisionOf(1, [], {
      changes: null,
      config: { config_name: 'x', parameters: { a: [1, {}] } },
    })
    assert.deepEqual(changesOf(first, undefined).phrases, [{ words: 'created with 2 parameters' }])
  })
})

describe('what is measured', () => {
  test('is one kind of figure: the pass rate where every evaluation has one, else the mean', () => {
    const mixed = [revisionOf(1, [ran('a', passing(0.5))]), revisionOf(2, [ran('b', [{ mean: 3 }])])]
    const [measure] = measuresOf(mixed)
    assert.deepEqual([measure?.kind, measure?.of(ran('c', passing(0.5)))], ['mean', 0.5])
    assert.equal(measuresOf(mixed.slice(0, 1))[0]?.kind, 'pass rate')
    // A share of passes grows while such a score falls.
    const lower = [revisionOf(1, [ran('a', [{ mean: 0.2, pass_rate: 0.9, higher_is_better: false }])])]
    assert.deepEqual([measuresOf(lower)[0]?.kind, measuresOf(lower)[0]?.higherIsBetter], ['mean', false])
  })

  test('is what the address says, else what has verdicts; what nothing has is not offered', () => {
    const scores = [{ name: 'words', mean: 7 }, { name: 'exact', ...passing(0.5)[0] }, { name: 'label' }]
    const measures = measuresOf([revisionOf(1, [ran('a', scores, 0.01)])])
    assert.deepEqual(
      measures.map(({ name }) => name),
      ['words', 'exact', 'cost'],
    )
    assert.equal(chosenMeasure(measures, {})?.name, 'exact')
    assert.equal(chosenMeasure(measures, { on: 'words' })?.name, 'words')
    assert.equal(chosenMeasure(measures, { figure: 'cost' })?.name, 'cost')
    assert.equal(chosenMeasure([], {}), undefined)
  })

  test('is compared with the newest evaluation of the nearest revision that has a figure', () => {
    const revisions = [
      revisionOf(1, [ran('newest', passing(0.5)), ran('older', passing(0.9))]),
      revisionOf(4),
      revisionOf(5, [ran('c', passing(0.7))]),
    ]
    const [measure] = measuresOf(revisions)
    assert.ok(measure)
    const bases = basesOf(revisions, measure)
    assert.equal(bases.get(1), undefined)
    assert.deepEqual([bases.get(4), bases.get(5)], new Array(2).fill({ revision: 1, value: 0.5 }))
    assert.match(
      summaryOf(revisions, measure),
      /2 of 3 revisions: from 50 % in r1 to 70 % in r5, best 70 % in r5\.$/,
    )
  })
})

describe('the plot', () => {
  const size = { width: 1400, height: 200 }
  const laidOut = (revisions: Revision[]) => {
    const [measure] = measuresOf(revisions)
    assert.ok(measure)
    return { measure, ...plotLayout(revisions, measure, size) }
  }

  test('has round ticks around every value, also where all are the same or all are 0 or 1', () => {
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

  test('dots that would cover each other stand side by side, and make one target where there is no room', () => {
    const close = [ran('a', passing(0.5)), ran('b', passing(0.501)), ran('c', passing(0.9))]
    const roomy = laidOut([revisionOf(1, close)])
    assert.equal(roomy.targets.length, 3)
    assert.equal(new Set(roomy.targets.map(({ x }) => x)).size, 2)
    const crowded = laidOut(
      Array.from({ length: 300 }, (_, index) => revisionOf(index, index === 7 ? close : [])),
    )
    assert.deepEqual(crowded.targets.map(({ dots }) => dots.length).sort(), [1, 2])
    const [together] = crowded.targets.filter(({ dots }) => dots.length === 2)
    assert.ok(together)
    assert.equal(
      targetName(together, crowded.measure, undefined),
      '2 evaluations close together, exact 50 % to 50.1 %, revision 7',
    )
    assert.ok(crowded.column >= TARGET)
    assert.ok(crowded.columns.at(-1)?.hasLabel)
    assert.ok(crowded.columns.filter(({ hasLabel }) => hasLabel).length < 300)
  })

  test('a dot says its evaluation, figure and revision, and better or worse by the direction of the figure', () => {
    const revisions = [
      revisionOf(1, [ran('one', [{ mean: 0.2, higher_is_better: false }])]),
      revisionOf(2, [ran('two', [{ mean: 0.3, higher_is_better: false }])]),
    ]
    const { targets, measure } = laidOut(revisions)
    const target = targets.find(({ dots: [dot] }) => dot.revision.revision === 2)
    assert.ok(target)
    const name = targetName(target, measure, basesOf(revisions, measure).get(2))
    assert.equal(name, 'two, exact 0.3, revision 2, worse than r1')
  })
})
