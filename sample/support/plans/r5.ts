// The plan of revision 5, which causes the regression: shorter and cheaper, but without the rules on returns, refunds
// and exchanges.
import { terse } from '../answers.ts'
import { HAIKU, ids, type Plan } from '../plan.ts'

export const R5: Plan = {
  revision: 5,
  name: 'Support answer r5: three sentences',
  baseline: 4,
  createdAt: '2026-09-30T07:02:07.916Z',
  commit: 'd27f6b8',
  trigger: 'manual (Tomás)',
  style: terse,
  wording: 'brief',
  maxTokens: 220,
  missingTopics: ['returns', 'refunds', 'exchanges'],
  citationRate: 0.96,
  ...HAIKU,
  wrong: ids(
    'returns 1 2 3 6 7 9 10 11 13 14 16 18 19',
    'refunds 1 2 3 4 6 8 10 11',
    'exchanges 1 2 3 6 8',
    'warranty 11',
    'payments 6',
  ),
  deflects: ids('returns 8 20', 'refunds 9', 'exchanges 4 7'),
  english: [],
  empty: ids('orders 4'),
  failed: { 'tracking-002': 'anthropic timeout', 'shipping-004': 'overloaded' },
  judgeFailures: {
    'returns-014': { evaluator: 'faithfulness', kind: 'no json' },
    'shipping-008': { evaluator: 'answer_correct', kind: 'no json' },
    'warranty-005': { evaluator: 'tone', kind: 'unknown label' },
    'giftcards-006': { evaluator: 'faithfulness', kind: 'timeout' },
  },
  misjudged: {
    'refunds-011': 'Sensible advice: the customer can return it and buy it again at the lower price.',
    'points-006': 'The answer does not say that it is one point per euro.',
  },
  faithfulnessOverrides: {
    'returns-001': { value: 0, reason: 'Neither 14 days nor store credit appears in the prompt.' },
    'returns-002': { value: 0, reason: 'The fee of 20% appears nowhere.' },
    'refunds-001': { value: 0, reason: 'No sentence is supported by the help centre that was given.' },
  },
  unscored: { 'repairs-005': 'faithfulness', 'payments-001': 'faithfulness' },
  pinned: ids('returns 1', 'returns 2', 'refunds 1', 'exchanges 2', 'shipping 8'),
  notes: {
    'returns-001': '14 days from purchase?! We promise 30 from delivery on every page. r5 must not ship.',
    'returns-002': 'There is no handling fee. We cannot take it back, and we would never charge for it.',
    'returns-008': 'At least it says so when it does not know. But the customer still has no answer.',
    'refunds-001': 'Store credit by default may even be illegal in the EU.',
    'refunds-011': 'Judge is too kind. §4: the difference comes as a gift card.',
    'shipping-008': 'Cut off in the middle of a word. 220 tokens are not enough.',
    'orders-004': 'Empty in, empty out. 🤷',
  },
}
