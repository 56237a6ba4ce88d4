// The evaluation of ticket-triage: revision 4 on 80 tickets, with JSON outputs.
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'
import { type Random, randomFrom, rounded } from '../random.ts'
import { tokenCount } from '../text.ts'
import type { SampleEvaluation } from '../types.ts'
import { type Labels, PRIORITIES, type Ticket } from './ticket.ts'
import { ORDER_TICKETS } from './tickets-orders.ts'
import { OTHER_TICKETS } from './tickets-other.ts'
import { PRODUCT_TICKETS } from './tickets-products.ts'
import { ticketTriage } from './variant.ts'

const EVALUATION_ID = 'ticket-triage-r4'

const PROMPTFOO = '/srv/evals/node_modules/promptfoo/dist/src'

const NODE_TRACE = [
  'Error: API error: 503 Service Unavailable',
  `    at MistralChatCompletionProvider.callApi (${PROMPTFOO}/providers/mistral.js:182:19)`,
  '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
  `    at async runEval (${PROMPTFOO}/evaluator.js:219:24)`,
  `    at async Evaluator.evaluate (${PROMPTFOO}/evaluator.js:1044:21)`,
].join('\n')

/** Rows with an error that is not about the labels. */
const DEFECTS: Record<string, 'fenced' | 'cut' | 'unavailable' | 'no assertion'> = {
  'ticket-017': 'fenced',
  'ticket-036': 'cut',
  'ticket-044': 'unavailable',
  'ticket-056': 'fenced',
  'ticket-063': 'unavailable',
  'ticket-075': 'no assertion',
}

const NOTES: Record<string, string> = {
  'ticket-013':
    'Normal?! It is the last day and our own page is broken. Urgent, and a person has to confirm it.',
  'ticket-027': 'The labels are defensible, the answer would not be. A person should write this one.',
  'ticket-049': 'Children drank the water. This is the row that made us write the safety rule (r5).',
  'ticket-075': 'Customers paste JSON. The assertion parser then takes theirs for ours.',
}

const PINNED = ['ticket-013', 'ticket-041', 'ticket-049', 'ticket-073']

export function triageEvaluation(): SampleEvaluation {
  const prompt = tokenCount(JSON.stringify(ticketTriage().revisions[3]?.config.parameters))
  const tickets = [...ORDER_TICKETS, ...PRODUCT_TICKETS, ...OTHER_TICKETS]
  return {
    evaluation: {
      id: EVALUATION_ID,
      name: 'Ticket triage r4: needs_human',
      variant_id: 'ticket-triage',
      revision: 4,
      baseline_id: null,
      source: 'promptfoo',
      created_at: '2026-09-24T06:30:11.204Z',
      evaluators: [
        { name: 'category_match', higher_is_better: true },
        { name: 'priority_distance', higher_is_better: false, threshold: 1 },
        { name: 'valid_json', higher_is_better: true },
      ],
      metadata: {
        dataset: 'triage-inbox-week-37',
        tickets: 80,
        labelled_by: ['Jun', 'Mira'],
        git_commit: '6a80f4c',
      },
    },
    scenarios: tickets.map((item, index) =>
      scenario(item, `ticket-${String(index + 1).padStart(3, '0')}`, prompt),
    ),
  }
}

function scenario(ticket: Ticket, id: string, promptTokens: number): EvaluationScenario {
  const random = randomFrom(`triage ${id}`)
  const labels = ticket.modelLabels ?? ticket.expected
  const pinned = PINNED.includes(id)
  const { results, reasons } = verdicts(ticket.expected, labels, DEFECTS[id])
  return {
    id,
    evaluation_id: EVALUATION_ID,
    inputs: [
      { name: 'channel', type: 'text', value: ticket.channel },
      { name: 'subject', type: 'text', value: ticket.subject },
      { name: 'body', type: 'text', value: ticket.body },
    ],
    outputs: [output(labels, DEFECTS[id], promptTokens + tokenCount(ticket.subject + ticket.body), random)],
    correct_answers: [
      { key: 'category', value: ticket.expected.category },
      { key: 'priority', value: ticket.expected.priority },
      { key: 'needs_human', value: String(ticket.expected.needs_human) },
    ],
    is_pinned: pinned ? true : null,
    note: NOTES[id] ?? null,
    results,
    extra: reasons.some((reason) => reason)
      ? { results: reasons.map((reason) => reason && { reason }) }
      : null,
  }
}

function output(labels: Labels, defect: string | undefined, promptTokens: number, random: Random) {
  if (defect === 'unavailable') {
    const error = { message: 'API error: 503 Service Unavailable', stacktrace: NODE_TRACE }
    return {
      result: { type: 'error', value: null, error },
      cost: null,
      latency: rounded(random.between(3, 9), 3),
    }
  }
  const json = JSON.stringify(labels)
  const result =
    defect === 'fenced'
      ? { type: 'text', value: `\`\`\`json\n${JSON.stringify(labels, null, 2)}\n\`\`\`` }
      : defect === 'cut'
        ? { type: 'text', value: `${json.slice(0, json.indexOf(',"sent') + 1)}${'\n'.repeat(40)}` }
        : { type: 'json', value: { ...labels } }
  const completion = tokenCount(json)
  return {
    result,
    cost: rounded((promptTokens * 0.1 + completion * 0.3) / 1_000_000, 6),
    latency: rounded(random.between(0.28, 0.62) + (random.chance(0.05) ? random.between(0.6, 2) : 0), 3),
  }
}

function verdicts(expected: Labels, labels: Labels, defect: string | undefined) {
  const isReadable = defect !== 'cut'
  const distance = Math.abs(rank(expected.priority) - rank(labels.priority))
  const isMatch = expected.category === labels.category
  const values =
    defect === 'unavailable'
      ? [null, null, null]
      : [isReadable ? isMatch : false, isReadable ? distance : null, defect !== 'fenced' && isReadable]
  const [match, away, valid] = values
  const parserError = {
    type: 'error',
    value: null,
    error: { message: 'SyntaxError: two JSON objects in the transcript, at 0 and 141', stacktrace: null },
  }
  return {
    results: [
      { evaluator_config: 'category_match', result: { type: 'bool', value: match } },
      {
        evaluator_config: 'priority_distance',
        result: defect === 'no assertion' ? parserError : { type: 'number', value: away },
      },
      { evaluator_config: 'valid_json', result: { type: 'bool', value: valid } },
    ],
    reasons: [
      match === false
        ? `Expected ${expected.category}, got ${isReadable ? labels.category : 'nothing readable'}.`
        : null,
      away && defect !== 'no assertion' ? `${labels.priority} instead of ${expected.priority}.` : null,
      valid === false
        ? isReadable
          ? 'Wrapped in a Markdown fence.'
          : 'Unexpected end of JSON input: ran on in line breaks up to max_tokens.'
        : null,
    ],
  }
}

function rank(priority: string): number {
  return (PRIORITIES as readonly string[]).indexOf(priority)
}
