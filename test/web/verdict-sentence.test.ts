// The words of the verdict against the baseline.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  otherChanges,
  type PairedEvaluator,
  type SentencePart,
  verdictSentence,
} from '../../web/src/results/verdict-sentence.ts'

const CORRECT: PairedEvaluator = {
  name: 'correct',
  n: 112,
  delta: -0.223,
  interval: [-0.315, -0.131],
  outcome: 'worse',
  baselineMean: 0.911,
  regressed: 29,
  improved: 4,
}

function textOf(parts: SentencePart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')
}

function sentence(changes: Partial<PairedEvaluator>, candidate?: string): string {
  return textOf(verdictSentence({ candidate, baseline: 'r4', evaluator: { ...CORRECT, ...changes } }))
}

test('says the outcome and how many rows changed, with and without the name of the candidate', () => {
  assert.equal(sentence({}), 'Worse than r4 on correct: 29 rows regressed, 4 improved.')
  assert.equal(sentence({}, 'r5'), 'r5 is worse than r4 on correct: 29 rows regressed, 4 improved.')
  assert.equal(
    sentence({ outcome: 'better', regressed: 1 }),
    'Better than r4 on correct: 1 row regressed, 4 improved.',
  )
})

test('distinguishes a tie, equal scores, too few rows and no common scores', () => {
  assert.equal(
    sentence({ outcome: 'tied' }, 'r5'),
    'r5 and r4 are tied on correct: 29 rows regressed, 4 improved, no significant difference.',
  )
  assert.equal(
    sentence({ outcome: 'tied', regressed: 0, improved: 0 }),
    'Tied with r4 on correct: all 112 rows have the same score.',
  )
  assert.equal(
    sentence({ outcome: 'tied', interval: null, n: 1 }),
    'Too few rows to compare with r4 on correct: only 1 row with a score in both.',
  )
  assert.equal(
    sentence({ outcome: null, interval: null, n: 0 }, 'r5'),
    'r5 cannot be compared with r4 on correct: no matched row has a score in both.',
  )
})

test('lists other significant changes, with relative changes of cost and latency', () => {
  const cost = { n: 115, delta: -0.000497, interval: null, outcome: 'better', baselineMean: 0.00163 } as const
  const latency = { ...cost, outcome: 'tied' } as const
  const other = (name: string, outcome: PairedEvaluator['outcome']) => ({ ...CORRECT, name, outcome })
  const others = [other('faithfulness', 'worse'), other('tone', 'tied'), other('cites_policy', 'worse')]
  assert.equal(
    otherChanges({ evaluator: CORRECT, others, cost, latency }),
    'Also worse on faithfulness and cites_policy, 30.5 % cheaper.',
  )
  assert.equal(
    otherChanges({ evaluator: CORRECT, others: [], cost: undefined, latency: { ...cost, outcome: 'worse' } }),
    '30.5 % slower.',
  )
  assert.equal(otherChanges({ evaluator: CORRECT, others: [], cost: latency, latency }), undefined)
})
