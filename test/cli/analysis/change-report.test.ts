// Tests of the explanations of a change by groups: sentences, tables, and user data in them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changeMarkdown, changeText } from '../../../src/cli/analysis/change-report.ts'
import { parseBreakdown } from '../../../src/cli/analysis/group-labels.ts'
import type { Breakdown } from '../../../src/schema/analysis/breakdowns.ts'
import { type SampleGroup, sampleBreakdown } from './sample-breakdown.ts'

const RETURNS: SampleGroup = { value: 'returns', n: 20, delta: -0.65, outcome: 'worse' }
const REFUNDS: SampleGroup = { value: 'refunds', n: 20, delta: -0.4, outcome: 'worse' }
const IMPROVED: SampleGroup = { value: 'sizes', n: 20, mean: 0.5, delta: 0.4, outcome: 'better' }
const TIED: SampleGroup = { value: 'shipping', n: 40, delta: 0 }

/** The sentences of the report as one line. */
function explain(breakdown: Breakdown, evaluators?: string[]): string {
  const [, ...lines] = changeText(breakdown, evaluators)
  return lines.slice(0, lines.indexOf('')).join(' ').replace(/\s+/g, ' ')
}

describe('explains the change by its groups', () => {
  const cases: [name: string, breakdown: Breakdown, expected: string][] = [
    [
      'one group causes all of it',
      sampleBreakdown([RETURNS, TIED, { ...TIED, value: 'fees' }]),
      'exact: worse, -13.0 pp on 100 rows. returns: -65.0 pp on 20 rows, 100 % of the change (20 × -65.0 of 100 × -13.0 pp). All other groups are tied.',
    ],
    [
      'several groups are worse',
      sampleBreakdown([TIED, REFUNDS, RETURNS]),
      'exact: worse, -26.3 pp on 80 rows. returns: -65.0 pp on 20 rows, 62 % of the change (20 × -65.0 of 80 × -26.3 pp). Also worse: refunds (-40.0 pp on 20 rows, 38 %). The other group is tied.',
    ],
    [
      'groups move in opposite directions: shares exceed 100 % and are negative',
      sampleBreakdown([RETURNS, IMPROVED, TIED]),
      'exact: worse, -6.3 pp on 80 rows. returns: -65.0 pp on 20 rows, 260 % of the change (20 × -65.0 of 80 × -6.3 pp). Better: sizes (+40.0 pp on 20 rows, -160 %). The other group is tied. Groups that changed in the opposite direction have negative shares.',
    ],
    [
      'tied groups move in the opposite direction: the share still exceeds 100 %',
      sampleBreakdown([RETURNS, { ...TIED, delta: 0.05 }]),
      'exact: worse, -18.3 pp on 60 rows. returns: -65.0 pp on 20 rows, 118 % of the change (20 × -65.0 of 60 × -18.3 pp). The other group is tied. Groups that changed in the opposite direction have negative shares.',
    ],
    [
      'opposite directions cancel each other',
      sampleBreakdown([{ ...REFUNDS, n: 20 }, IMPROVED, TIED], { total: 'tied' }),
      'exact: tied, 0.0 pp on 80 rows, but not in every group. Worse: refunds (-40.0 pp on 20 rows). Better: sizes (+40.0 pp on 20 rows). The other group is tied.',
    ],
    [
      'nothing changed',
      sampleBreakdown([TIED, { ...TIED, value: 'fees' }], { total: 'tied' }),
      'exact: tied, 0.0 pp on 80 rows. There is no change to explain.',
    ],
    [
      'all rows are in one group',
      sampleBreakdown([RETURNS]),
      'exact: worse, -65.0 pp on 20 rows. All compared rows are in one group: returns.',
    ],
    [
      'all rows that can be compared are in one group',
      sampleBreakdown([RETURNS, { kind: 'missing', n: 0, mean: null, delta: null, outcome: null }]),
      'exact: worse, -65.0 pp on 20 rows. All compared rows are in one group: returns.',
    ],
    [
      'no group stands out',
      sampleBreakdown([
        { ...TIED, delta: -0.1 },
        { ...TIED, value: 'fees', delta: -0.05 },
      ]),
      'exact: worse, -7.5 pp on 80 rows. No group is worse on its own. The largest part is shipping: -10.0 pp on 40 rows, 67 % of the change (40 × -10.0 of 80 × -7.5 pp). Large, but not certain: fees (-5.0 pp on 40 rows, 33 %).',
    ],
    [
      'only the opposite direction stands out',
      sampleBreakdown([{ ...TIED, delta: -0.5 }, IMPROVED]),
      'exact: worse, -20.0 pp on 60 rows. No group is worse on its own. The largest part is shipping: -50.0 pp on 40 rows, 167 % of the change (40 × -50.0 of 60 × -20.0 pp). Better: sizes (+40.0 pp on 20 rows, -67 %). Groups that changed in the opposite direction have negative shares.',
    ],
    [
      'groups that are not listed cause most of it',
      sampleBreakdown([REFUNDS, TIED], { rest: { count: 33, n: 60, delta: -0.5, outcome: 'worse' } }),
      'exact: worse, -31.7 pp on 120 rows. (33 smaller groups): -50.0 pp on 60 rows, 79 % of the change (60 × -50.0 of 120 × -31.7 pp). Also worse: refunds (-40.0 pp on 20 rows, 21 %). The other group is tied.',
    ],
    [
      'groups that are not listed are tied together',
      sampleBreakdown([RETURNS], { rest: { count: 33, n: 60, delta: 0 } }),
      'exact: worse, -16.3 pp on 80 rows. returns: -65.0 pp on 20 rows, 100 % of the change (20 × -65.0 of 80 × -16.3 pp). All other groups are tied, the smallest ones taken together.',
    ],
    [
      'a group cannot be compared',
      sampleBreakdown([RETURNS, TIED, { kind: 'missing', n: 0, mean: null, delta: null, outcome: null }]),
      'exact: worse, -21.7 pp on 60 rows. returns: -65.0 pp on 20 rows, 100 % of the change (20 × -65.0 of 60 × -21.7 pp). All other groups are tied or cannot be compared.',
    ],
    [
      'a group has too few rows',
      sampleBreakdown([RETURNS, { value: 'fees', n: 4, delta: -0.25, outcome: 'too-few' }]),
      'exact: worse, -58.3 pp on 24 rows. returns: -65.0 pp on 20 rows, 93 % of the change (20 × -65.0 of 24 × -58.3 pp). The other group has too few rows.',
    ],
    [
      'groups are tied, have too few rows or cannot be compared',
      sampleBreakdown([
        RETURNS,
        TIED,
        { value: 'fees', n: 4, delta: -0.25, outcome: 'too-few' },
        { kind: 'missing', n: 0, mean: null, delta: null, outcome: null },
      ]),
      'exact: worse, -21.9 pp on 64 rows. returns: -65.0 pp on 20 rows, 93 % of the change (20 × -65.0 of 64 × -21.9 pp). All other groups are tied or have too few rows or cannot be compared.',
    ],
    [
      'a group with too few rows has a large share',
      sampleBreakdown([RETURNS, TIED, { value: 'fees', n: 5, delta: -1, outcome: 'too-few' }]),
      'exact: worse, -27.7 pp on 65 rows. returns: -65.0 pp on 20 rows, 72 % of the change (20 × -65.0 of 65 × -27.7 pp). Large, but not certain: fees (-100.0 pp on 5 rows, 28 %). The other group is tied.',
    ],
    [
      'there are too few rows',
      sampleBreakdown([{ value: 'fees', n: 4, delta: -0.5, outcome: 'too-few' }], { total: 'too-few' }),
      'exact: too few rows, -50.0 pp on 4 rows. At least 6 are needed.',
    ],
    [
      'all rows changed by the same amount',
      sampleBreakdown([{ ...TIED, delta: -0.5, outcome: null }], { total: null, metric: 'score' }),
      'exact: not comparable, -0.5000 on 40 rows. All rows changed by the same amount.',
    ],
    [
      'a score for which lower is better, without percentages',
      sampleBreakdown([{ value: 'a', n: 30, mean: 2, delta: 1.5, outcome: 'worse' }, TIED], {
        metric: 'score',
      }),
      'exact: worse, +0.643 on 70 rows. a: +1.500 on 30 rows, 100 % of the change (30 × +1.500 of 70 × +0.643). The other group is tied.',
    ],
    [
      'cost',
      sampleBreakdown(
        [
          { value: 'a', n: 30, mean: 0.002, delta: 0.0015, outcome: 'worse' },
          { value: 'b', n: 30, mean: 0.002, delta: 0 },
        ],
        { metric: 'cost' },
      ),
      'cost: worse, +$0.000750 on 60 rows. a: +$0.001500 on 30 rows, 100 % of the change (30 × +$0.001500 of 60 × +$0.000750). The other group is tied.',
    ],
    [
      'a better latency',
      sampleBreakdown(
        [
          { value: 'a', n: 1, mean: 3, delta: -1, outcome: 'better' },
          { value: 'b', n: 3, mean: 3, delta: 0 },
        ],
        { metric: 'latency', total: 'better' },
      ),
      'latency: better, -0.250 s on 4 rows. a: -1.000 s on 1 row, 100 % of the change (1 × -1.000 of 4 × -0.250 s). The other group is tied.',
    ],
    [
      'small groups have a large share, but can be random',
      sampleBreakdown([RETURNS, { value: 'fees', n: 4, delta: -0.5 }, TIED, { ...TIED, value: 'care' }]),
      'exact: worse, -14.4 pp on 104 rows. returns: -65.0 pp on 20 rows, 87 % of the change (20 × -65.0 of 104 × -14.4 pp). Large, but not certain: fees (-50.0 pp on 4 rows, 13 %). All other groups are tied.',
    ],
    [
      'many groups are worse',
      sampleBreakdown([
        TIED,
        ...Array.from({ length: 8 }, (_, index) => ({ ...RETURNS, value: `g${index}` })),
      ]),
      'exact: worse, -52.0 pp on 200 rows. g0: -65.0 pp on 20 rows, 13 % of the change (20 × -65.0 of 200 × -52.0 pp). Also worse: g1 (-65.0 pp on 20 rows, 13 %), g2 (-65.0 pp on 20 rows, 13 %), g3 (-65.0 pp on 20 rows, 13 %), g4 (-65.0 pp on 20 rows, 13 %), g5 (-65.0 pp on 20 rows, 13 %) and 2 others. The other group is tied.',
    ],
    [
      'all groups are worse',
      sampleBreakdown([RETURNS, REFUNDS]),
      'exact: worse, -52.5 pp on 40 rows. All groups are worse. The largest part is returns: -65.0 pp on 20 rows, 62 % of the change (20 × -65.0 of 40 × -52.5 pp).',
    ],
    [
      'nothing can be compared',
      sampleBreakdown([{ value: 'a', n: 0, mean: null, delta: null, outcome: null }], { total: null }),
      'Nothing can be compared with the baseline.',
    ],
  ]
  for (const [name, breakdown, expected] of cases)
    test(name, () => assert.equal(explain(breakdown) || changeText(breakdown, undefined)[1], expected))
})

test('does not explain the changes of different rows', () => {
  const { base, ...breakdown } = sampleBreakdown([RETURNS], { total: null })
  assert.ok(base)
  assert.deepEqual(changeText({ ...breakdown, base: { ...base, has_different_rows: true } }), [
    'Changes of after by input.topic:',
    'These runs do not have the same rows, so their changes cannot be explained.',
  ])
})

test('groups with too few rows have no outcome and no share', () => {
  const groups: SampleGroup[] = [{ value: 'fees', n: 4, delta: -0.5, outcome: 'too-few' }]
  const lines = changeText(sampleBreakdown(groups, { total: 'too-few' }))
  assert.match(lines.find((line) => line.startsWith('fees')) ?? '', / - +too few rows$/)
})

/** Two metrics in one breakdown. */
function combine(first: Breakdown, second: Breakdown): Breakdown {
  const groups = first.groups.map((group, index) => ({
    ...group,
    evaluators: [...group.evaluators, ...(second.groups[index]?.evaluators ?? [])],
  }))
  const evaluators = [...first.total.evaluators, ...second.total.evaluators]
  return {
    ...first,
    evaluators: [...first.evaluators, ...second.evaluators],
    groups,
    total: { ...first.total, evaluators },
  }
}

describe('selects the evaluators to explain', () => {
  const worse = sampleBreakdown([RETURNS, TIED], { evaluator: 'worse' })
  const better = sampleBreakdown([IMPROVED, TIED], { evaluator: 'better', total: 'better' })
  const tied = sampleBreakdown([TIED, TIED], { evaluator: 'tied', total: 'tied' })
  const slight = sampleBreakdown([{ ...TIED, delta: 0.01 }, TIED], { evaluator: 'slight', total: 'tied' })
  const names = (breakdown: Breakdown, evaluators?: string[]) =>
    changeText(breakdown, evaluators).flatMap((line) => /^(\w+): \w+, /.exec(line)?.[1] ?? [])
  const tables = (breakdown: Breakdown, evaluators?: string[]) =>
    changeText(breakdown, evaluators).flatMap((line) => /^(\w+) +rows /.exec(line)?.[1] ?? [])

  test('those that changed, the worse one first, with its table only', () => {
    assert.deepEqual(names(combine(better, worse)), ['worse', 'better'])
    assert.deepEqual(tables(combine(better, worse)), ['worse'])
    assert.deepEqual(names(combine(tied, better)), ['better'])
  })
  test('the one with the strongest change if all are tied', () => {
    assert.deepEqual(names(combine(tied, slight)), ['slight'])
  })
  test('those of --on, each with its table', () => {
    assert.deepEqual(names(combine(better, worse), ['better', 'worse']), ['better', 'worse'])
    assert.deepEqual(tables(combine(better, worse), ['better', 'worse']), ['better', 'worse'])
    assert.deepEqual(names(combine(tied, worse), ['tied']), ['tied'])
  })
})

const EVERY_KIND: SampleGroup[] = [
  RETURNS,
  { value: 'true', n: 10, delta: -0.1 },
  { value: true, n: 9, delta: -0.09 },
  { value: '', n: 8, delta: -0.08 },
  { value: '(no value)', n: 7, delta: -0.07 },
  { kind: 'missing', n: 6, delta: -0.06 },
  { kind: 'error', n: 5, delta: -0.05 },
  { value: { a: [1] }, n: 4, delta: -0.04 },
  { value: '"a long te', is_cut: true, n: 3, delta: -0.03 },
  { value: 'line\n| `b` \u001b[2J\u202e', n: 1, delta: 0, outcome: null },
]

test('the text table has the largest contribution first, and shows what kind of value each group has', () => {
  const lines = changeText(sampleBreakdown(EVERY_KIND, { by: 'result.label' }), ['exact'])
  assert.equal(
    lines.slice(lines.indexOf('') + 1).join('\n'),
    `exact               rows  baseline  candidate    change  confidence interval  share  outcome
returns               20    90.0 %     25.0 %  -65.0 pp    -70.0 to -60.0 pp   77 %  worse
"true"                10    90.0 %     80.0 %  -10.0 pp     -15.0 to -5.0 pp    6 %  tied
true                   9    90.0 %     81.0 %   -9.0 pp     -14.0 to -4.0 pp    5 %  tied
""                     8    90.0 %     82.0 %   -8.0 pp     -13.0 to -3.0 pp    4 %  tied
"(no value)"           7    90.0 %     83.0 %   -7.0 pp     -12.0 to -2.0 pp    3 %  tied
(no value)             6    90.0 %     84.0 %   -6.0 pp     -11.0 to -1.0 pp    2 %  tied
(evaluator failed)     5    90.0 %     85.0 %   -5.0 pp      -10.0 to 0.0 pp    1 %  tied
{"a":[1]}              4    90.0 %     86.0 %   -4.0 pp      -9.0 to +1.0 pp    1 %  tied
"a long te…            3    90.0 %     87.0 %   -3.0 pp      -8.0 to +2.0 pp    1 %  tied
line | \`b\` \ufffd[2J\ufffd       1    90.0 %     90.0 %    0.0 pp      -5.0 to +5.0 pp    0 %  -
(all rows)            73    90.0 %     67.0 %  -23.0 pp    -28.0 to -18.0 pp  100 %  worse
The confidence intervals of groups are corrected for 10 groups.`,
  )
  assert.match(
    changeText(sampleBreakdown(EVERY_KIND, { by: 'error' }), ['exact']).join('\n'),
    /^\(no error\) +6 /m,
  )
})

test('the Markdown report has the same sentences and rows, with user data as code', () => {
  const [heading, sentences, table, note] = changeMarkdown(sampleBreakdown(EVERY_KIND), undefined)
  assert.equal(heading, 'Changes of `after` by `input.topic`:')
  assert.match(
    sentences ?? '',
    /^- `exact`: worse, -23\.0 pp on 73 rows\. `returns`: -65\.0 pp on 20 rows, 77 % of/,
  )
  const rows = table?.split('\n') ?? []
  assert.equal(rows.length, 2 + EVERY_KIND.length + 1)
  assert.equal(rows[1], '| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |')
  assert.equal(rows[2], '| `returns` | 20 | 90.0 % | 25.0 % | -65.0 pp | -70.0 to -60.0 pp | 77 % | worse |')
  assert.match(rows[7] ?? '', /^\| \(no value\) \| 6 \|/)
  assert.match(rows[11] ?? '', /^\| ``line \\\| `b` \[2J`` \| 1 \|/)
  assert.equal(note, 'The confidence intervals of groups are corrected for 10 groups.')
})

test('lists 20 groups and sums the others, in lines of at most 100 characters', () => {
  const groups = Array.from({ length: 30 }, (_, index) => ({
    value: `topic ${index} ${'💡'.repeat(60)}`,
    n: 10 + index,
    delta: -0.1 - index / 100,
  }))
  const lines = changeText(sampleBreakdown(groups), undefined)
  for (const line of lines.join('\n').split('\n')) assert.ok([...line].length <= 100, line)
  const table = lines.slice(lines.indexOf('') + 1)
  assert.equal(table.length, 1 + 20 + 2 + 1)
  assert.match(table[1] ?? '', /^topic 29 💡+… +39 /u)
  assert.match(table[21] ?? '', /^\(10 other groups\) +145 +11 %$/)
  const rest = { count: 33, n: 1, delta: 0 }
  assert.match(
    changeText(sampleBreakdown(groups, { rest }), undefined).join('\n'),
    /^\(43 other groups\) +146 /m,
  )
})

test('labels keep all digits of a number', () => {
  const text = JSON.stringify(sampleBreakdown([{ ...RETURNS, value: 'x' }, TIED]))
  const lines = changeText(parseBreakdown(text.replace('"x"', '9007199254740993')))
  assert.match(lines.join('\n'), /^9007199254740993 +20 /m)
})

test('names the join key if it differs from that of the comparison', () => {
  assert.equal(
    changeText(sampleBreakdown([TIED]), undefined, 'input')[0],
    'Changes of after by input.topic, matched by id:',
  )
  assert.equal(changeText(sampleBreakdown([TIED]), undefined, 'id')[0], 'Changes of after by input.topic:')
})

test('does not break a line within a product, and aligns wide characters', () => {
  const report = changeText(sampleBreakdown([{ ...RETURNS, value: '返品は何日以内ですか。' }, REFUNDS, TIED]))
  assert.doesNotMatch(report.join('\n'), /×\n|\n +×/)
  const [wide = '', narrow = ''] = report.slice(report.indexOf('') + 2)
  assert.equal(wide.indexOf('90.0 %') + 11, narrow.indexOf('90.0 %'))
})

test('one group needs no correction', () => {
  assert.doesNotMatch(changeText(sampleBreakdown([RETURNS]), undefined).join('\n'), /corrected/)
})
