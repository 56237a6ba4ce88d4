// Tests of the text report of the agreement of two evaluators.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agreementText } from '../../../src/cli/analysis/agreement-text.ts'
import type { Agreement, VerdictAgreement } from '../../../src/schema/analysis/agreements.ts'

const VERDICTS: VerdictAgreement = {
  n: 64,
  both_pass: 44,
  both_fail: 7,
  only_evaluator: 3,
  only_with: 10,
  agreement: 0.796875,
  kappa: 0.4006,
  interval: [0.14, 0.66],
  precision: 0.936170212766,
  recall: 0.814814814815,
  ...{ specificity: 0.7, agreement_interval: null, recall_interval: null, specificity_interval: null },
}

const AGREEMENT: Agreement = {
  id: 'support r6',
  evaluator: { name: 'judge', kind: 'model', higher_is_better: true, threshold: 0.7 },
  with: { name: 'human&verdict', kind: 'human', higher_is_better: true, threshold: null },
  rows: 120,
  n: 64,
  verdicts: VERDICTS,
  numbers: { n: 60, rank_correlation: -0.004, mean_absolute_difference: 0.25 },
  best_threshold: {
    threshold: 0.51,
    ...{ n: 64, both_pass: 54, both_fail: 7, only_evaluator: 3, only_with: 0 },
    ...{ agreement: 0.953125, kappa: 0.7975, interval: [0.6, 0.99], precision: 0.9474, recall: 1 },
    ...{ specificity: 0.7, agreement_interval: null, recall_interval: null, specificity_interval: null },
  },
  thresholds: [],
  corrected_pass_rate: {
    ...{ rows: 120, passed: 105, pass_rate: 0.875, judged: 64 },
    ...{ corrected: 0.807323, interval: [0.737, 0.884], assumption_met: false },
  },
  warnings: [{ code: 'few-rows', detail: 'Only 64 rows\nhave both.' }],
}

test('prints the counts, agreement, kappa, errors, the best threshold and the filter', () => {
  assert.equal(
    agreementText(AGREEMENT, undefined),
    `judge (model, threshold 0.7) and human&verdict (human) in support r6: 64 of 120 rows have a score of
both.

              human&verdict passes  human&verdict fails
judge passes                    44                    3
judge fails                     10                    7

Agreement: 79.7 %, 51 of 64 rows have equal verdicts.
Cohen's kappa: 0.40 (95 % confidence interval 0.14 to 0.66). 1 is perfect agreement, 0 is chance.
judge passes 3 rows that human&verdict fails, and fails 10 rows that human&verdict passes.
Precision: 93.6 %, 44 of the 47 rows that pass with judge also pass with human&verdict.
Recall: 81.5 %, 44 of the 54 rows that pass with human&verdict also pass with judge.

Pass rate: judge 87.5 % of 120 rows; corrected by 64 verdicts of human&verdict 81 % (95 % confidence
interval 74 to 88).

Best threshold of judge: 0.51 instead of 0.7. With it, kappa is 0.80 (95 % confidence interval 0.60
to 0.99) and the agreement is 95.3 %: judge passes 3 rows that human&verdict fails, and fails 0 rows
that human&verdict passes. It was chosen on these rows, so expect less agreement on others.

Numbers of 60 rows: rank correlation 0.00, mean absolute difference 0.2500.

Rows with different verdicts (13): use the filter disagree=judge&disagree=human%26verdict

Warning: Only 64 rows\ufffdhave both.
`,
  )
})

test('links the rows with different verdicts if the URL of the page is known', () => {
  assert.match(
    agreementText(AGREEMENT, 'https://evals.example/x'),
    /^Rows with different verdicts \(13\): https:\/\/evals\.example\/x\/evaluations\/support%20r6\?disagree=judge&disagree=human%26verdict$/m,
  )
})

test('omits what is not defined', () => {
  const NOTHING = { numbers: null, best_threshold: null, corrected_pass_rate: null, warnings: [] }
  const undefinedKappa = {
    ...VERDICTS,
    only_evaluator: 0,
    only_with: 0,
    both_fail: 0,
    kappa: null,
    interval: null,
  }
  const report = agreementText(
    { ...AGREEMENT, ...NOTHING, verdicts: undefinedKappa },
    'https://evals.example',
  )
  assert.match(report, /^Cohen's kappa: not defined, because all verdicts are equal\.$/m)
  assert.doesNotMatch(report, /threshold of|Numbers|Pass rate|different verdicts|Warning/)
  const empty = agreementText({ ...AGREEMENT, ...NOTHING, n: 0, verdicts: null }, undefined)
  assert.deepEqual(empty.split('\n').slice(2), [''])
})

test('reports that the declared threshold is the best one', () => {
  const best_threshold = { threshold: 0.7, ...VERDICTS }
  assert.match(
    agreementText({ ...AGREEMENT, best_threshold }, undefined),
    /^Best threshold of judge: 0\.7, as declared\.$/m,
  )
})
