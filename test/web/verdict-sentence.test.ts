// The words of the verdict against the baseline. The Python client reads the same cases.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import {
  otherChanges,
  type PairedEvaluator,
  type PairedMetric,
  verdictSentence,
} from '../../web/src/results/verdict-sentence.ts'

type Stored<Metric extends PairedMetric> = Omit<Metric, 'baselineMean'> & { base_mean: number | null }

interface Case {
  title: string
  candidate: string | null
  baseline: string
  evaluator: Stored<PairedEvaluator>
  others: Stored<PairedEvaluator>[]
  cost: Stored<PairedMetric> | null
  latency: Stored<PairedMetric> | null
  sentence: string
  other_changes: string | null
}

const path = new URL('../../python/tests/verdict_sentences.json', import.meta.url)
const cases: Case[] = JSON.parse(await readFile(path, 'utf8'))

function toMetric<Metric extends Stored<PairedMetric>>({ base_mean, ...metric }: Metric) {
  return { ...metric, baselineMean: base_mean }
}

suite('the verdict says the outcome, the changed rows and what else changed', () => {
  for (const { title, candidate, baseline, sentence, other_changes, ...metrics } of cases) {
    test(title, () => {
      const evaluator = toMetric(metrics.evaluator)
      const parts = verdictSentence({ candidate: candidate ?? undefined, baseline, evaluator })
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
