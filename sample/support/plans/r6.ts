// The plan of revision 6, which fixes the regression: still short answers, with the rules restored.
import { concise } from '../answers.ts'
import { HAIKU, ids, type Plan } from '../plan.ts'

export const R6: Plan = {
  revision: 6,
  name: 'Support answer r6: returns are back',
  baseline: 4,
  createdAt: '2026-10-06T07:01:49.302Z',
  commit: '0e5c92a',
  trigger: 'nightly',
  style: concise,
  wording: 'brief',
  maxTokens: 220,
  missingTopics: [],
  citationRate: 0.97,
  ...HAIKU,
  wrong: ids('returns 16', 'exchanges 8', 'points 8', 'warranty 11'),
  deflects: [],
  english: [],
  empty: [],
  failed: { 'orders-008': 'anthropic timeout', 'care-005': 'connection reset' },
  judgeFailures: { 'refunds-003': { evaluator: 'faithfulness', kind: 'no json' } },
  misjudged: {
    'payments-004': 'The reference says 7 days; the answer should say "within", and does, but late.',
  },
  faithfulnessOverrides: { 'points-008': { value: 0, reason: 'The contrary of points §3.' } },
  unscored: {
    'warranty-001': 'faithfulness',
    'tracking-010': 'faithfulness',
    'giftcards-004': 'faithfulness',
  },
  pinned: ids('returns 1', 'shipping 8', 'warranty 7'),
  notes: {
    'returns-001': 'Back to 30 days, and the date is right.',
    'shipping-008': 'Still cut off. Raise max_tokens for this kind of question (r7).',
    'warranty-007': 'Cut off as well. The insurance will not accept half a list.',
    'warranty-011': 'Third run, same mistake. Reword §4: "a second owner, also after a gift".',
  },
}
