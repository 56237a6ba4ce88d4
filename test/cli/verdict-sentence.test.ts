// The sentence of a comparison. The page and the Python client have tests with the same cases.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import {
  otherChanges,
  type Verdict,
  type VerdictEvaluator,
  verdictSentence,
} from '../../src/cli/comparison/verdict-sentence.ts'
import { formatRowCount } from '../../src/cli/output/progress.ts'
import { PLAIN, RATE } from '../../src/cli/output/statistics.ts'

type StoredMetric = VerdictEvaluator & { is_verdict?: boolean }

interface Case extends Omit<Verdict, 'candidate'> {
  title: string
  /** Null for sentences about the evaluation of a page. */
  candidate: string | null
  evaluator: StoredMetric
  others: StoredMetric[]
  cost: StoredMetric | null
  latency: StoredMetric | null
  sentence: string
  other_changes: string | null
}

async function readCases<Cases>(name: string): Promise<Cases> {
  return JSON.parse(await readFile(new URL(`../../python/tests/${name}`, import.meta.url), 'utf8'))
}

const cases = await readCases<Case[]>('verdict_sentences.json')
const counts = await readCases<{ rows: number; scenarios: number; text: string }[]>('row_counts.json')

function toMetric({ is_verdict, ...metric }: StoredMetric): VerdictEvaluator {
  return { ...metric, unit: is_verdict ? RATE : PLAIN }
}

const keepName = (name: string) => name

suite('the verdict says the outcome, the changed rows and what else changed', () => {
  for (const { title, candidate, sentence, other_changes, ...verdict } of cases) {
    const evaluator = toMetric(verdict.evaluator)
    test(title, () => {
      if (candidate !== null)
        assert.equal(verdictSentence({ ...verdict, candidate, evaluator }, keepName), sentence)
      const metrics = {
        evaluator,
        others: verdict.others.map(toMetric),
        cost: verdict.cost ? toMetric(verdict.cost) : undefined,
        latency: verdict.latency ? toMetric(verdict.latency) : undefined,
      }
      assert.equal(otherChanges(metrics, keepName) ?? null, other_changes)
    })
  }
})

suite('rows with repeats are counted with their scenarios', () => {
  for (const { rows, scenarios, text } of counts)
    test(text, () => assert.equal(formatRowCount(rows, scenarios), text))
})

test('names are formatted', () => {
  const [{ candidate, ...verdict }] = cases.filter(({ candidate }) => candidate !== null) as [Case]
  const evaluator = toMetric(verdict.evaluator)
  assert.equal(
    verdictSentence({ ...verdict, candidate: candidate ?? '', evaluator }, (name) => `<${name}>`),
    '<r5> is worse than <r4> on <correct>: 29 rows regressed, 4 improved.',
  )
})
