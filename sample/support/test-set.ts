// The support test set: 120 questions with customers, orders and reference answers. All evaluations of support-answer
// use the same rows.
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { fill, type Slots } from '../text.ts'
import type { Question, SupportCase } from './case.ts'
import { CARE } from './cases/care.ts'
import { EXCHANGES } from './cases/exchanges.ts'
import { GIFTCARDS } from './cases/giftcards.ts'
import { RATES_TABLE, SCOUT_GROUP } from './cases/long-answers.ts'
import { ORDERS } from './cases/orders.ts'
import { PAYMENTS } from './cases/payments.ts'
import { POINTS } from './cases/points.ts'
import { REFUNDS } from './cases/refunds.ts'
import { REFUNDS_SPECIAL } from './cases/refunds-special.ts'
import { REPAIRS } from './cases/repairs.ts'
import { RETURNS } from './cases/returns.ts'
import { RETURNS_GOODS } from './cases/returns-goods.ts'
import { RETURNS_SPECIAL } from './cases/returns-special.ts'
import { SHIPPING } from './cases/shipping.ts'
import { TRACKING } from './cases/tracking.ts'
import { WARRANTY } from './cases/warranty.ts'
import { type CustomerSlots, customerFor, TODAY } from './customer.ts'
import type { Topic } from './policy.ts'

export interface TestRow {
  id: string
  topic: Topic
  supportCase: SupportCase
  question: Question
  slots: Slots
  inputs: EvaluationScenario['inputs']
  correctAnswers: { key: string; value: string }[]
}

const CASES: [Topic, SupportCase[]][] = [
  ['returns', [...RETURNS, ...RETURNS_GOODS, ...RETURNS_SPECIAL]],
  ['refunds', [...REFUNDS, ...REFUNDS_SPECIAL]],
  ['exchanges', EXCHANGES],
  ['shipping', [...SHIPPING, RATES_TABLE]],
  ['tracking', TRACKING],
  ['warranty', [...WARRANTY, SCOUT_GROUP]],
  ['repairs', REPAIRS],
  ['giftcards', GIFTCARDS],
  ['points', POINTS],
  ['orders', ORDERS],
  ['payments', PAYMENTS],
  ['care', CARE],
]

export function supportTestSet(): TestRow[] {
  return CASES.flatMap(([topic, cases]) => {
    const first = cases.map((supportCase) => ({ supportCase, question: supportCase.questions[0] }))
    const second = cases.map((supportCase) => ({ supportCase, question: supportCase.questions[1] }))
    return [...first, ...second]
      .filter((row): row is { supportCase: SupportCase; question: Question } => row.question !== undefined)
      .map(({ supportCase, question }, index) =>
        testRow(topic, `${topic}-${String(index + 1).padStart(3, '0')}`, supportCase, question),
      )
  })
}

function testRow(topic: Topic, id: string, supportCase: SupportCase, question: Question): TestRow {
  const { customer, slots }: CustomerSlots = customerFor(id, supportCase, question)
  const correctAnswers = [{ key: 'answer', value: supportCase.fact }]
  if (!supportCase.language && /\d/.test(supportCase.mention)) {
    correctAnswers.push({ key: 'must_mention', value: supportCase.mention })
  }
  return {
    id,
    topic,
    supportCase,
    question,
    slots,
    inputs: [
      { name: 'question', type: 'text', value: fill(question.text, slots) },
      { name: 'customer', type: 'json', value: customer },
      { name: 'language', type: 'text', value: supportCase.language ?? 'en' },
      { name: 'topic', type: 'text', value: topic },
      { name: 'asked_on', type: 'text', value: TODAY },
    ],
    correctAnswers,
  }
}
