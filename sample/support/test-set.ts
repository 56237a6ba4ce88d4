// The support test set: 120 tickets with their customers, orders and reference answers. Every evaluation of
// support-answer runs over the same rows.
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { fill, type Slots } from '../prose.ts'
import { CARE } from './care.ts'
import type { Question, SupportCase } from './case.ts'
import { type CustomerSlots, customerFor, TODAY } from './customer.ts'
import { EXCHANGES } from './exchanges.ts'
import { GIFTCARDS } from './giftcards.ts'
import { RATES_TABLE, SCOUT_GROUP } from './long-answers.ts'
import { ORDERS } from './orders.ts'
import { PAYMENTS } from './payments.ts'
import { POINTS } from './points.ts'
import type { Topic } from './policy.ts'
import { REFUNDS } from './refunds.ts'
import { REFUNDS_SPECIAL } from './refunds-special.ts'
import { REPAIRS } from './repairs.ts'
import { RETURNS } from './returns.ts'
import { RETURNS_GOODS } from './returns-goods.ts'
import { RETURNS_SPECIAL } from './returns-special.ts'
import { SHIPPING } from './shipping.ts'
import { TRACKING } from './tracking.ts'
import { WARRANTY } from './warranty.ts'

export interface TestRow {
  id: string
  topic: Topic
  written: SupportCase
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
    const first = cases.map((written) => ({ written, question: written.questions[0] }))
    const second = cases.map((written) => ({ written, question: written.questions[1] }))
    return [...first, ...second]
      .filter((each): each is { written: SupportCase; question: Question } => each.question !== undefined)
      .map(({ written, question }, at) =>
        testRow(topic, `${topic}-${String(at + 1).padStart(3, '0')}`, written, question),
      )
  })
}

function testRow(topic: Topic, id: string, written: SupportCase, question: Question): TestRow {
  const { customer, slots }: CustomerSlots = customerFor(id, written, question)
  const correctAnswers = [{ key: 'answer', value: written.fact }]
  if (!written.language && /\d/.test(written.mention)) {
    correctAnswers.push({ key: 'must_mention', value: written.mention })
  }
  return {
    id,
    topic,
    written,
    question,
    slots,
    inputs: [
      { name: 'question', type: 'text', value: fill(question.text, slots) },
      { name: 'customer', type: 'json', value: customer },
      { name: 'language', type: 'text', value: written.language ?? 'en' },
      { name: 'topic', type: 'text', value: topic },
      { name: 'asked_on', type: 'text', value: TODAY },
    ],
    correctAnswers,
  }
}
