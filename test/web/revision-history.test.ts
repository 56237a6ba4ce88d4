// The parts of the variant page that need no browser: metrics, verdict, plot and table of revisions.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newestPair } from '../../web/src/pages/variant/diff-pair.ts'
import { plotDataOf, plotSummary, pointLines } from '../../web/src/pages/variant/scores/plot-data.ts'
import { columnsFor } from '../../web/src/pages/variant/table/columns.ts'
import { historyVerdict, type VerdictPart } from '../../web/src/pages/variant/verdict-parts.ts'
import type { Revision, RevisionEvaluation } from '../../web/src/queries/variants.ts'
import { addChanges } from '../../web/src/revisions/add-changes.ts'
import { metricsOf, selectedMetric } from '../../web/src/revisions/metrics.ts'
import { plotLayout } from '../../web/src/ui/charts/plot-layout.ts'
import { labeledColumns, valueScale } from '../../web/src/ui/charts/scales.ts'
import { renderedRows, rowsWithin } from '../../web/src/ui/visible-rows.ts'
import { evaluationOf, passing, revisionOf, type Score } from './revision-builders.ts'

type Base = NonNullable<Score['base']>

/** Scores with a paired change against a baseline. */
function compared(rate: number, delta: number, outcome: Base['outcome']): Partial<Score> {
  const rows = { n: 10, regressed: 0, improved: 0, unclear: 0 }
  const base = { mean: rate - delta, delta, interval: null, outcome, detectable: null, ...rows }
  return { mean: rate, pass_rate: rate, base }
}

function withBaseline(evaluation: RevisionEvaluation, id: string, revision: number): RevisionEvaluation {
  const pairing = { by: 'id', matched: 10, match_rate: 1, has_different_rows: false }
  const base = { id, name: null, variant_id: 'v', revision, chosen: null, ...pairing }
  return { ...evaluation, scores: { ...evaluation.scores, base } }
}

/** r1 not evaluated, r2 first, r3 better than r2, r4 worse than r3, r5 tied with r3, r6 not evaluated. */
const HISTORY = [
  revisionOf(1),
  revisionOf(2, [evaluationOf('two', passing(0.746))]),
  revisionOf(3, [withBaseline(evaluationOf('three', [compared(0.913, 0.174, 'better')]), 'two', 2)]),
  revisionOf(4, [withBaseline(evaluationOf('four', [compared(0.701, -0.223, 'worse')]), 'three', 3)]),
  revisionOf(5, [withBaseline(evaluationOf('five', [compared(0.941, 0.027, 'tied')]), 'three', 3)]),
  revisionOf(6),
]

function firstMetric(revisions: Revision[]) {
  const [metric] = metricsOf(revisions)
  assert.ok(metric)
  return metric
}

describe('metrics', () => {
  test('are pass rates for verdicts and means for numbers, also for numbers with a threshold', () => {
    const verdicts = [revisionOf(1, [evaluationOf('a', passing(0.5))])]
    assert.equal(firstMetric(verdicts).unit, 'percent')
    assert.equal(firstMetric(verdicts).formatWithUnit(0.5), '50.0 %')
    const numbers = [revisionOf(1, [evaluationOf('a', [{ mean: 0.25, pass_rate: 0.9 }])])]
    const metric = firstMetric(numbers)
    assert.deepEqual([metric.unit, metric.format(0.25)], ['score', '0.250'])
    // One evaluation with numbers makes all values means, so that a plot has one unit.
    assert.equal(firstMetric([...verdicts, ...numbers]).unit, 'score')
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

  test('get their changes and the status from the list of evaluations', () => {
    const [plain] = addChanges([revisionOf(2, [evaluationOf('two'), evaluationOf('old')])], [
      { ...evaluationOf('two', passing(0.5)), status: 'running', expected_count: 20, scenario_count: 12 },
    ] as never)
    const [two, old] = plain?.evaluations ?? []
    assert.deepEqual(
      [two?.status, two?.scenario_count, two?.scores.evaluators[0]?.mean, old?.status],
      ['running', 12, 0.5, undefined],
    )
  })
})

describe('the verdict of a history', () => {
  const textOf = (parts: VerdictPart[]) =>
    parts
      .map((part) =>
        typeof part === 'string' ? part : part.kind === 'revision' ? `r${part.revision}` : part.outcome,
      )
      .join('')
  const verdictOf = (revisions: Revision[]) =>
    textOf(historyVerdict('v', revisions, firstMetric(HISTORY))).trim()

  test('names the best revision, the last regression and revisions without evaluation', () => {
    assert.equal(
      verdictOf(HISTORY),
      'r5 has the best exact so far: 94.1 %, tied with baseline r3. r4 was worse by 22.3 points. r6 has not been evaluated.',
    )
  })

  test('names the best revision if the latest is not the best', () => {
    assert.equal(
      verdictOf(HISTORY.slice(0, 4)),
      'r4 has exact 70.1 %, worse than baseline r3 by 22.3 points. The best so far is r3: 91.3 %.',
    )
  })

  test('describes the first evaluation, a running one, and a history without any', () => {
    assert.equal(verdictOf(HISTORY.slice(0, 2)), 'r2 is the only evaluated revision: exact 74.6 %.')
    assert.equal(
      verdictOf([revisionOf(1), revisionOf(2)]),
      'No revision has been evaluated yet. r1 and r2 have not been evaluated.',
    )
    const running = { ...evaluationOf('r', passing(1)), status: 'running' as const, expected_count: 120 }
    assert.equal(
      verdictOf([...HISTORY.slice(0, 2), revisionOf(3, [running])]),
      'r2 is the only evaluated revision: exact 74.6 %. r3 is running, 10 of 120 rows.',
    )
  })

  test('compares the two newest evaluated revisions by default', () => {
    assert.deepEqual(newestPair(HISTORY), [4, 5])
    assert.deepEqual(newestPair(HISTORY.slice(0, 2)), [1, 2])
    assert.equal(newestPair(HISTORY.slice(0, 1)), undefined)
  })
})

describe('the plot', () => {
  const size = { width: 1000, height: 200, tickCount: 4 }
  const ticksOf = (values: number[], maximum?: number) =>
    valueScale(values, { range: [100, 0], tickCount: 4, maximum }).ticks.map(({ label }) => label)

  test('has round ticks that enclose all values, also if all are equal, 0 or 100 percent', () => {
    assert.deepEqual(ticksOf([70.1, 94.1], 100), ['60', '70', '80', '90', '100'])
    assert.deepEqual(ticksOf([60, 60], 100), ['54', '56', '58', '60', '62', '64', '66'])
    assert.equal(ticksOf([100], 100).at(-1), '100')
    assert.equal(Number(ticksOf([0], 100)[0]), 0)
    assert.deepEqual(ticksOf([0.12, 0.14]), ['0.11', '0.12', '0.13', '0.14', '0.15'])
    for (const values of [[-3, 8], [1e-9, 2e-9], [1e300, 2e300], [5]]) {
      const { yOf, ticks } = valueScale(values, { range: [100, 0], tickCount: 4 })
      assert.ok(values.every((value) => yOf(value) >= 0 && yOf(value) <= 100))
      assert.ok(ticks.length >= 2 && ticks.length <= 8, String(ticks.length))
    }
  })

  test('draws the baseline of the newest value and marks each point by its paired outcome', () => {
    const data = plotDataOf('v', HISTORY, firstMetric(HISTORY))
    assert.equal(data.baseline?.label, 'baseline r3, 91.3')
    assert.deepEqual(
      data.points.map(({ column, direction, label, detail }) => [column, direction, label, detail]),
      [
        [1, undefined, '74.6', 'first evaluated'],
        [2, 'better', '91.3', '+17.4 vs r2'],
        [3, 'worse', '70.1', '−22.3 vs r3'],
        [4, 'tied', '94.1', '+2.7 vs r3, tied'],
      ],
    )
    assert.equal(
      plotSummary(HISTORY, firstMetric(HISTORY)),
      '4 of 6 revisions have a value: from 74.6 % in r2 to 94.1 % in r5, the best.',
    )
  })

  test('says in the link of a point what was measured, compared with what, and what changed', () => {
    const [, , , entry] = HISTORY
    assert.ok(entry)
    const changeLabels = { labels: [{ path: 'max_tokens', text: '1200', newText: '220' }], more: 0 }
    assert.deepEqual(pointLines('v', { revision: entry, changeLabels }, firstMetric(HISTORY)), [
      'r4',
      'four: exact 70.1 %, worse than r3 by 22.3 points (10 rows)',
      'max_tokens 1200 to 220',
    ])
  })

  test('with 300 revisions has few labels, and markers only for the last value and regressions', () => {
    const revisions = Array.from({ length: 300 }, (_, index) =>
      revisionOf(index + 1, [evaluationOf(`e${index}`, [compared(0.5, 0, index === 7 ? 'worse' : 'tied')])]),
    )
    const layout = plotLayout(plotDataOf('v', revisions, firstMetric(revisions)), size)
    assert.deepEqual(
      layout.markers.map(({ column }) => column),
      [7, 299],
    )
    assert.deepEqual(layout.labels, [])
    assert.ok(layout.columnLabels.length > 3 && layout.columnLabels.length < 20)
    assert.equal(layout.columnLabels.at(-1)?.text, 'r300')
    assert.deepEqual(labeledColumns(3, 10), [0, 1, 2])
  })
})

describe('the table of revisions', () => {
  test('renders the rows within the visible range, and the row with the focus', () => {
    assert.deepEqual(rowsWithin(300, 32, 400, 800), { from: 0, to: 13 })
    assert.deepEqual(rowsWithin(300, 32, -3200, 800), { from: 100, to: 125 })
    assert.deepEqual(rowsWithin(5, 32, 400, 800), { from: 0, to: 5 })
    assert.deepEqual(renderedRows({ from: 3, to: 5 }, 4), [3, 4])
    assert.deepEqual(renderedRows({ from: 3, to: 5 }, 1), [1, 3, 4])
    assert.deepEqual(renderedRows({ from: 3, to: 5 }, 9), [3, 4, 9])
  })

  test('always has the selected metric, and further columns if they fit', () => {
    const scores = ['a', 'b', 'c', 'd'].map((name) => ({ name, mean: 1, pass_rate: 1 }))
    const metrics = metricsOf([revisionOf(1, [evaluationOf('x', scores, 0.01)])])
    const columnNames = (width: number) => {
      const { metrics: columns, hasMessage, hasAuthor, hasDate } = columnsFor(width, metrics, metrics[3])
      return [
        ...columns.map(({ name }) => name),
        hasDate && 'date',
        hasMessage && 'message',
        hasAuthor && 'by',
      ]
        .filter(Boolean)
        .join(' ')
    }
    assert.equal(columnNames(390), 'd')
    assert.equal(columnNames(800), 'a d cost date')
    assert.equal(columnNames(1280), 'a d cost date message by')
    assert.equal(columnNames(1512), 'a b c d cost date message by')
  })
})
