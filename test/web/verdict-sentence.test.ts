// The words of the verdict against the baseline. The Python client reads the same cases.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import {
  type ChosenBaseline,
  firstChanged,
  otherChanges,
  type PairedEvaluator,
  type PairedMetric,
  verdictSentence,
} from '../../web/src/results/verdict-sentence.ts'

type Stored<Metric extends PairedMetric> = Omit<Metric, 'baselineMean' | 'isVerdict'> & {
  base_mean: number | null
  is_verdict?: boolean
}

interface Case {
  title: string
  candidate: string | null
  baseline: string
  chosen: ChosenBaseline
  has_different_rows: boolean
  evaluator: Stored<PairedEvaluator>
  others: Stored<PairedEvaluator>[]
  cost: Stored<PairedMetric> | null
  latency: Stored<PairedMetric> | null
  sentence: string
  other_changes: string | null
}

const path = new URL('../../python/tests/verdict_sentences.json', import.meta.url)
const cases: Case[] = JSON.parse(await readFile(path, 'utf8'))

function toMetric<Metric extends Stored<PairedMetric>>({ base_mean, is_verdict = false, ...metric }: Metric) {
  return { ...metric, baselineMean: base_mean, isVerdict: is_verdict }
}

suite('the verdict says the outcome, the changed rows and what else changed', () => {
  for (const { title, candidate, baseline, chosen, sentence, other_changes, ...metrics } of cases) {
    test(title, () => {
      const evaluator = toMetric(metrics.evaluator)
      const parts = verdictSentence({
        candidate: candidate ?? undefined,
        baseline,
        chosen,
        hasDifferentRows: metrics.has_different_rows,
        evaluator,
      })
      const text = parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')
      assert.equal(text, sentence)
      const changes = otherChanges({
        evaluator,
        others: metrics.others.map(toMetric),
        cost: metrics.cost ? toMetric(metrics.cost) : undefined,
        latency: metrics.latency ? toMetric(metrics.latency) : undefined,
      })
      assert.equal(changes ?? null, other_changes)
    })
  }
})

test('the evaluator to show first is the first one that is worse, else the first one that is better', () => {
  const chosen = (...outcomes: PairedMetric['outcome'][]) =>
    firstChanged(outcomes.map((outcome, index) => ({ name: `${index}`, outcome })))
  assert.equal(chosen('tied', 'better', 'worse', 'worse'), '2')
  assert.equal(chosen(null, 'better', 'too-few', 'better'), '1')
  assert.equal(chosen('tied', 'too-few', null), undefined)
})
