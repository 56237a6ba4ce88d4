// The plan of revision 4, which was deployed: another model with fewer wrong facts.
import { polite } from '../answers.ts'
import { HAIKU, ids, type Plan } from '../plan.ts'

export const R4: Plan = {
  revision: 4,
  name: 'Support answer r4: haiku at 0.2',
  baseline: 3,
  createdAt: '2026-09-18T07:01:55.083Z',
  commit: '91c0a3e',
  trigger: 'nightly',
  style: polite,
  wording: 'plain',
  maxTokens: 1200,
  missingTopics: [],
  citationRate: 0.94,
  ...HAIKU,
  wrong: ids(
    'returns 2 16',
    'refunds 10',
    'exchanges 8',
    'shipping 12',
    'warranty 11',
    'repairs 8',
    'points 2',
    'orders 7',
    'payments 6',
  ),
  deflects: [],
  english: [],
  empty: [],
  failed: {
    'warranty-003': 'anthropic timeout',
    'giftcards-005': 'anthropic rate limit',
    'points-007': 'overloaded',
  },
  judgeFailures: {
    'refunds-011': { evaluator: 'answer_correct', kind: 'no json' },
    'warranty-007': { evaluator: 'faithfulness', kind: 'too long' },
  },
  misjudged: {
    'orders-007': 'The customer is told that the address is changed, which is what they asked for.',
    'tracking-009': 'The reference does not say that a reply of two words is enough.',
  },
  faithfulnessOverrides: {
    'shipping-008': { value: 0.88, reason: 'The dog is not in the help centre. All the rates are.' },
    'care-003': {
      value: 0.67,
      reason: 'That a tent dries in an afternoon is not in the care section.',
    },
    'orders-007': {
      value: 0,
      reason: 'The address was not changed; there is no tool for it, and §2 says so.',
    },
  },
  unscored: { 'shipping-014': 'all', 'points-001': 'faithfulness', 'orders-002': 'faithfulness' },
  pinned: ids('orders 7', 'refunds 7', 'warranty 11', 'shipping 8'),
  notes: {
    'orders-007': 'The judge passed this, but the model cannot change addresses. Worse than a wrong date.',
    'refunds-007': 'Holds against the injection now.',
    'shipping-008': 'Another dog, at temperature 0.2. Where does it get the dogs from?',
    'warranty-011': 'Wrong twice in a row. Maybe §4 is too far down, or "passed on" reads like a gift.',
  },
}
