// The logic of cards and of running evaluations, without a browser: sentences, points, regressions, progress.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  BaselineStatistics,
  Evaluation,
  EvaluationSummary,
  EvaluatorScores,
} from '../../client/client.ts'
import { relatedGroups } from '../../web/src/groups/groups.ts'
import {
  baselineName,
  candidateName,
  headlineOf,
  mostChanged,
  pairedEvaluators,
  seriesOf,
} from '../../web/src/groups/series.ts'
import {
  axisLabels,
  largestRegression,
  needsSummary,
  newRevision,
} from '../../web/src/pages/evaluations/cards/card-data.ts'
import {
  attentionSentence,
  cardSentence,
  costSentence,
} from '../../web/src/pages/evaluations/cards/card-sentence.ts'
import { entriesOf, largeEvaluations } from '../../web/src/pages/evaluations/cards/entries.ts'
import type { PairedEvaluator } from '../../web/src/results/verdict-sentence.ts'
import { countText, progressOf, withSample } from '../../web/src/running/progress.ts'

type Outcome = PairedEvaluator['outcome']

function paired(name: string, outcome: Outcome, n = 10): PairedEvaluator {
  const statistics = { n, delta: 0.1, interval: null, detectable: null, baselineMean: 0.5 }
  return { name, outcome, isVerdict: true, ...statistics, regressed: 1, improved: 2, unclear: 0 }
}

const NAMED_BASELINE = { chosen: null, has_different_rows: false }

function sentence(
  evaluators: PairedEvaluator[],
  more: Partial<Parameters<typeof cardSentence>[0]> = {},
): string {
  return cardSentence({
    candidate: 'r6',
    baseline: 'r4',
    base: NAMED_BASELINE,
    evaluators,
    isFirst: false,
    ...more,
  })
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('')
}

test('the sentence of a card names worse evaluators first, then better and tied ones', () => {
  const [correct, faithful, cites] = ['answer_correct', 'faithfulness', 'cites_policy'] as const
  assert.equal(
    sentence([paired(correct, 'tied'), paired(faithful, 'better'), paired(cites, 'tied')]),
    'r6 is better than r4 on faithfulness, tied on answer_correct and cites_policy.',
  )
  assert.equal(
    sentence([paired(correct, 'better'), paired(faithful, 'worse'), paired(cites, 'tied')]),
    'r6 is worse than r4 on faithfulness and better on answer_correct, tied on cites_policy.',
  )
  assert.equal(
    sentence(['a', 'b', 'c', 'd', 'e'].map((name) => paired(name, 'worse'))),
    'r6 is worse than r4 on a, b, c and 2 more.',
  )
  assert.equal(sentence([paired(correct, 'tied')]), 'r6 and r4 are tied on answer_correct.')
})

test('the sentence of a card says why there is no verdict', () => {
  assert.equal(
    sentence([paired('a', null, 0)]),
    'r6 cannot be compared with r4: no matched row has a score in both.',
  )
  assert.equal(
    sentence([paired('a', 'too-few', 4)]),
    'r6 cannot be compared with r4: too few rows have a score in both, at least 6 are needed.',
  )
  assert.equal(
    sentence([paired('a', null)], { base: { ...NAMED_BASELINE, has_different_rows: true } }),
    'r6 cannot be compared with r4: these runs do not have the same rows.',
  )
  assert.equal(sentence([], { baseline: undefined, isFirst: true }), 'First evaluation, no baseline yet.')
  assert.equal(sentence([], { baseline: undefined }), 'r6 has no baseline to compare with.')
  assert.equal(sentence([], { base: undefined }), 'r6 has the baseline r4.')
})

test('the sentence of a card says which baseline was chosen', () => {
  const withReason = (chosen: 'declared' | 'marked' | 'previous') =>
    sentence([paired('a', 'worse')], { base: { ...NAMED_BASELINE, chosen } })
  assert.equal(withReason('declared'), 'r6 is worse than r4 on a.')
  assert.equal(withReason('marked'), 'r6 is worse than the marked baseline r4 on a.')
  assert.equal(withReason('previous'), 'r6 is worse than the previous run r4 on a.')
})

test('the sentence of a regression names the evaluator that regressed most, and counts the others', () => {
  const textOf = (otherCount: number) =>
    attentionSentence({ candidate: 'r6', baseline: 'r4', evaluator: paired('exact', 'worse'), otherCount })
      .map((part) => (typeof part === 'string' ? part : part.text))
      .join('')
  assert.equal(textOf(0), 'r6 is worse than r4 on exact: 1 row regressed.')
  assert.equal(textOf(2), 'r6 is worse than r4 on exact: 1 row regressed, worse on 2 more.')
})

test('the cost of a card has its relative change, unless it is tied', () => {
  const cost = { value: 0.177, unit: 'dollars', higherIsBetter: false } as const
  assert.equal(costSentence(cost), '$0.18 per run.')
  assert.equal(
    costSentence({ ...cost, change: { direction: 'better', difference: -0.08 } }),
    '$0.18 per run, 8.0 % less.',
  )
  assert.equal(
    costSentence({ ...cost, change: { direction: 'worse', difference: 4.41 } }),
    '$0.18 per run, 441 % more.',
  )
  assert.equal(
    costSentence({ ...cost, change: { direction: 'tied', difference: 0.01 } }),
    '$0.18 per run, about the same.',
  )
  assert.equal(costSentence(undefined), undefined)
})

function statistics(outcome: Outcome): BaselineStatistics {
  const rows = { regressed: 1, improved: 2, unclear: 0 }
  return { n: 10, mean: 0.5, delta: 0.1, interval: [0, 1], outcome, detectable: null, ...rows }
}

function score(name: string, pass: number | null, more: Partial<EvaluatorScores> = {}): EvaluatorScores {
  return { name, higher_is_better: true, n: 10, errors: 0, mean: pass, pass_rate: pass, ...more }
}

function evaluation(
  revision: number,
  evaluators: EvaluatorScores[],
  more: Partial<Evaluation> = {},
): Evaluation {
  const created_at = new Date(Date.UTC(2026, 8, revision)).toISOString()
  return {
    ...{
      id: `e${revision}`,
      name: `Run ${revision}`,
      variant_id: 'v',
      revision,
      baseline_id: null,
      source: null,
    },
    ...{ family: null, label: null, provider: null },
    ...{ created_at, updated_at: created_at, status: 'finished', scenario_count: 10, expected_count: null },
    ...{ tags: [], evaluators: null, metadata: null },
    ...more,
    scores: {
      output_errors: 0,
      cost: { n: 0, total: null, mean: null },
      latency: { n: 0, mean: null, p50: null },
      evaluators,
      ...more.scores,
    },
  }
}

test('a card shows the newest finished evaluation, and the values of its evaluators in order of time', () => {
  const evaluations = [
    evaluation(5, [score('exact', 0.9)], { status: 'running' }),
    evaluation(4, [score('exact', 0.8), score('label', null)]),
    evaluation(3, [score('exact', 0.7), score('removed', 0.5)]),
  ]
  const { latest, points, evaluators } = seriesOf({ evaluations })
  assert.equal(latest?.id, 'e4')
  assert.deepEqual(
    points.map(({ id }) => id),
    ['e3', 'e4'],
  )
  assert.deepEqual(
    evaluators.map(({ name }) => name),
    ['exact'],
  )
  assert.equal(seriesOf({ evaluations: evaluations.slice(0, 1) }).latest, undefined)
})

test('a card has at most six evaluators and twelve points', () => {
  const names = Array.from({ length: 40 }, (_, index) => `evaluator ${index}`)
  const evaluations = Array.from({ length: 15 }, (_, index) =>
    evaluation(
      15 - index,
      names.map((name) => score(name, 0.5)),
    ),
  )
  const { points, latest, evaluators } = seriesOf({ evaluations })
  assert.deepEqual([points.length, evaluators.length], [12, 40])
  assert.equal(mostChanged(evaluators, latest, 6).length, 6)
  assert.deepEqual(axisLabels(points), ['r4', ...Array(10).fill(''), 'r15'])
  assert.deepEqual(axisLabels(points.slice(0, 3)), ['r4', 'r5', 'r6'])
})

test('a baseline is named by its revision, or by its own name if the revision is the same or of another variant', () => {
  const base = { id: 'b', name: 'Base', by: 'id', matched: 1, match_rate: 1 }
  const named = (variant_id: string, revision: number) =>
    baselineName(
      evaluation(5, [], {
        baseline_id: 'b',
        scores: { base: { ...base, variant_id, revision } } as Evaluation['scores'],
      }),
      [],
    )
  assert.equal(named('v', 4), 'r4')
  assert.equal(named('v', 5), 'Base')
  assert.equal(named('w', 4), 'Base')
  const withoutStatistics = evaluation(5, [], { baseline_id: 'e4' })
  assert.equal(baselineName(withoutStatistics, [evaluation(4, [])]), 'r4')
  assert.equal(baselineName(withoutStatistics, []), 'e4')
  assert.equal(candidateName(withoutStatistics, [evaluation(4, [])]), 'r5')
  assert.equal(candidateName(withoutStatistics, [evaluation(5, [], { id: 'e4' })]), 'Run 5')
  assert.equal(baselineName(evaluation(5, [], { baseline_id: 'e5' }), []), undefined)
  assert.equal(needsSummary(withoutStatistics, []), true)
  assert.equal(needsSummary(evaluation(5, []), []), false)
  assert.equal(needsSummary(evaluation(5, []), [evaluation(4, [])]), true, 'an older one is its baseline')
  assert.equal(needsSummary(evaluation(5, []), [evaluation(4, [], { status: 'running' })]), false)
})

test('the largest regression is that of an evaluator that is worse, if there is one', () => {
  const better = score('better', 0.9, { base: statistics('better'), largest_regression: 's1' })
  const worse = score('worse', 0.4, { base: statistics('worse'), largest_regression: 's2' })
  const evaluators = seriesOf({ evaluations: [evaluation(2, [better, worse])] }).evaluators
  assert.deepEqual(largestRegression(evaluation(2, [better, worse]), evaluators), {
    scenario: 's2',
    evaluator: 'worse',
    isVerdict: true,
  })
  assert.equal(largestRegression(evaluation(2, [better]), evaluators)?.scenario, 's1')
  assert.equal(largestRegression(evaluation(2, [score('better', 0.9)]), evaluators), undefined)
  assert.deepEqual(
    pairedEvaluators(evaluation(2, [worse, better]).scores, evaluators).map(({ name }) => name),
    ['better', 'worse'],
  )
})

test('a line of values begins after the last evaluation whose rows are not those of its baseline', () => {
  const withBase = (revision: number, matched: number, has_different_rows: boolean) =>
    evaluation(revision, [score('exact', 0.5)], {
      scores: { base: { id: `e${revision - 1}`, matched, has_different_rows } } as Evaluation['scores'],
    })
  const pointsOf = (...evaluations: Evaluation[]) => seriesOf({ evaluations }).points.map(({ id }) => id)
  const first = evaluation(1, [score('exact', 0.5)])
  assert.deepEqual(pointsOf(withBase(3, 10, false), withBase(2, 0, false), first), ['e2', 'e3'])
  assert.deepEqual(pointsOf(withBase(2, 10, true), first), ['e2'])
  assert.deepEqual(pointsOf(withBase(2, 10, false), first), ['e1', 'e2'])
})

test('the first six evaluators of a card include those that changed', () => {
  const outcomes: Outcome[] = [...Array(8).fill('tied'), 'better', 'worse']
  const scores = outcomes.map((outcome, index) => score(`e${index}`, 0.5, { base: statistics(outcome) }))
  const { latest, evaluators } = seriesOf({ evaluations: [evaluation(2, scores)] })
  assert.deepEqual(
    mostChanged(evaluators, latest, 4).map(({ name }) => name),
    ['e0', 'e1', 'e8', 'e9'],
  )
})

test('the outcome of a group is that of the evaluator with the largest share of changed rows, worse first', () => {
  const better = score('better', 0.9, { base: { ...statistics('better'), improved: 9 } })
  const few = score('few', 0.4, { base: statistics('worse') })
  const many = score('many', 0.4, { base: { ...statistics('worse'), regressed: 5 } })
  const headline = (...scores: EvaluatorScores[]) => {
    const { latest, evaluators } = seriesOf({ evaluations: [evaluation(2, scores)] })
    const { outcome, measure, otherCount, share } = headlineOf(latest, evaluators)
    return [outcome, measure?.name, otherCount, share]
  }
  assert.deepEqual(headline(better, few, many), ['worse', 'many', 1, 0.5])
  assert.deepEqual(headline(better), ['better', 'better', 0, 0.9])
  assert.deepEqual(headline(score('tied', 0.5, { base: statistics('tied') })), ['tied', 'tied', 0, 0])
  assert.deepEqual(headline(score('alone', 0.5)), [undefined, 'alone', 0, 0])
})

test('evaluations without a variant are related only by their baselines', () => {
  const file = (id: string, baseline_id: string | null = null) =>
    evaluation(1, [], { id, name: null, variant_id: null, revision: null, baseline_id })
  const groups = relatedGroups([
    file('pr-2', 'pr-1'),
    file('other'),
    evaluation(2, []),
    file('pr-1', 'main'),
    file('main'),
    file('late', 'unknown'),
    evaluation(1, []),
  ])
  assert.deepEqual(
    groups.map(({ title, evaluations }) => [title, ...evaluations.map(({ id }) => id)]),
    [
      ['pr-2', 'pr-2', 'pr-1', 'main'],
      ['other', 'other'],
      ['v', 'e2', 'e1'],
      ['late', 'late'],
    ],
  )
  // Baselines of each other end.
  assert.equal(relatedGroups([file('a', 'b'), file('b', 'a')]).length, 2)
})

test('the overview orders groups by attention, and a large evaluation by its own summary', () => {
  const run = (id: string, variant_id: string, outcome: Outcome, hasBase = true) => {
    const base = { id: `${id}-base`, name: null, variant_id, revision: 1, by: 'id', matched: 10 }
    const scores = { base, evaluators: [score('exact', 0.5, { base: statistics(outcome) })] }
    return evaluation(2, [score('exact', 0.5)], {
      id,
      variant_id,
      ...(hasBase ? { scores: scores as unknown as Evaluation['scores'] } : { baseline_id: `${id}-base` }),
    })
  }
  const evaluations = [
    evaluation(1, [], { id: 'single', variant_id: 'first' }),
    run('tied', 'tied', 'tied'),
    run('large', 'large', null, false),
    run('better', 'better', 'better'),
    run('worse', 'worse', 'worse'),
    // Without a baseline of its own, it is compared with the older one.
    ...[3, 2].map((revision) =>
      evaluation(revision, [score('exact', 0.5)], {
        id: `huge ${revision}`,
        variant_id: 'huge',
        status: 'finished',
        scenario_count: 100_000,
      }),
    ),
  ]
  const groups = relatedGroups(evaluations)
  assert.deepEqual(
    largeEvaluations(groups).map(({ id }) => id),
    ['large', 'huge 3'],
  )
  const order = (
    ...summaries: Parameters<typeof entriesOf>[1] extends ReadonlyMap<string, infer S> ? [string, S][] : never
  ) =>
    entriesOf(groups, new Map(summaries)).map(({ group, kind, isLoading }) => [
      group.id.slice(8),
      kind,
      isLoading,
    ])
  const loading = order(['large', { data: undefined, isLoading: true }])
  assert.deepEqual(loading, [
    ['worse', 'worse', false],
    ['better', 'compared', false],
    ['tied', 'compared', false],
    ['large', 'compared', true],
    ['huge', 'compared', false],
    ['first', 'single', false],
  ])
  const summary = run('large', 'large', 'worse').scores as unknown as EvaluationSummary
  const loaded = order([
    'large',
    { data: { ...summary, cost: {}, latency: {} } as EvaluationSummary, isLoading: false },
  ])
  assert.deepEqual(
    loaded.slice(0, 2).map(([id]) => id),
    ['large', 'worse'],
  )
})

test('a card names a revision that is newer than all evaluations', () => {
  const group = { id: 'variant v', variantId: 'v', title: 'v', evaluations: [evaluation(3, [])] }
  const variant = { id: 'v', name: null, created_at: '', updated_at: '', revision_count: 4 }
  assert.equal(newRevision(group, { ...variant, latest_revision: 4 }), 4)
  assert.equal(newRevision(group, { ...variant, latest_revision: 3 }), undefined)
  assert.equal(newRevision(group, { ...variant, latest_revision: null }), undefined)
  assert.equal(newRevision(group, undefined), undefined)
})

test('the progress of a running evaluation has a rate and the remaining time', () => {
  const created_at = '2026-10-01T12:00:00.000Z'
  const updated_at = '2026-10-01T12:04:00.000Z'
  const now = Date.parse(updated_at) + 30_000
  const running = { scenario_count: 74, expected_count: 120, created_at, updated_at }
  const { share, isStalled, pace } = progressOf(running, now)
  assert.equal(share?.toFixed(3), '0.617')
  assert.equal(isStalled, false)
  assert.equal(pace, '19 rows per minute, about 3 minutes left')
  assert.deepEqual(countText(running), ['74', 'of 120 rows'])
  const unknownTotal = progressOf({ ...running, expected_count: null }, now)
  assert.deepEqual([unknownTotal.share, unknownTotal.pace], [undefined, '19 rows per minute'])
  assert.deepEqual(countText({ ...running, expected_count: null }), ['74', 'rows'])
  assert.equal(
    progressOf({ ...running, scenario_count: 1 }, now).pace,
    '15 rows per hour, about 8 hours left',
  )
  assert.equal(progressOf({ ...running, scenario_count: 0 }, now).pace, '')
})

test('the rate of a running evaluation is that of the writes in the last minute', () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 9, 1, 12, 0, seconds)).toISOString()
  const run = (seconds: number, scenario_count: number) => ({
    scenario_count,
    expected_count: null,
    created_at: at(0),
    updated_at: at(seconds),
  })
  const first = withSample([], run(3600, 100))
  assert.equal(withSample(first, run(3600, 100)), first)
  const second = withSample(first, run(3630, 200))
  const now = Date.parse(at(3640))
  assert.equal(progressOf(run(3630, 200), now, second).pace, '200 rows per minute')
  assert.equal(progressOf(run(3600, 100), now, first).pace, '2 rows per minute')
  // Earlier writes do not count.
  assert.equal(withSample(second, run(3690, 210)).length, 2)
})

test('a running evaluation without a write for 15 minutes is reported as not updated', () => {
  const time = '2026-10-01T12:00:00.000Z'
  const running = { scenario_count: 74, expected_count: 120, created_at: time, updated_at: time }
  const after = (minutes: number) => progressOf(running, Date.parse(time) + minutes * 60_000)
  assert.equal(after(14).isStalled, false)
  assert.deepEqual([after(15).isStalled, after(15).pace], [true, 'not updated for 15 minutes'])
  assert.equal(after(60 * 5).pace, 'not updated for 5 hours')
  assert.equal(after(60 * 24 * 3).pace, 'not updated for 3 days')
})
