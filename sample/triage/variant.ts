// The variant ticket-triage, which classifies a ticket as a JSON object. Five revisions.
import { dedent } from '../text.ts'
import type { SampleRevision, SampleVariant } from '../types.ts'
import { CATEGORIES, PRIORITIES, SENTIMENTS } from './ticket.ts'

const FIRST = dedent`
  Classify the support ticket. Reply with JSON:
  {"category": ..., "priority": ..., "sentiment": ...}`

const DEFINED = dedent`
  You sort the incoming tickets of Larkfell, an online shop for outdoor gear. Reply with one JSON object and
  nothing else.

  category: ${CATEGORIES.join(', ')}
  priority:
    low      a question that can wait
    normal   the customer waits for something
    high     money or goods are missing, or the customer is about to leave
    urgent   time is running out today, or somebody could get hurt
  sentiment: ${SENTIMENTS.join(', ')}`

const HUMAN = dedent`
  needs_human: true if money has gone wrong, if the customer has written before about the same thing, if
  it is about safety, law, the press or personal data, or if you cannot tell what they want. Otherwise false.`

const EXAMPLES = dedent`
  Examples

  Subject: Card charged twice
  Body: 89.45 was taken two times.
  {"category": "payment", "priority": "high", "sentiment": "negative", "needs_human": true}

  Subject:
  Body: do you ship to malta
  {"category": "delivery", "priority": "low", "sentiment": "neutral", "needs_human": false}`

const SAFETY = dedent`
  Anything about injury, fire, drinking water or allergies is urgent, however calmly it is told.`

const TICKET = dedent`
  Subject: {{subject}}
  Body: {{body}}`

const TICKET_WITH_CHANNEL = `Channel: {{channel}}\n${TICKET}`

function schema(properties: string[], strict: boolean) {
  const known: Record<string, unknown> = {
    category: { type: 'string', enum: CATEGORIES },
    priority: { type: 'string', enum: PRIORITIES },
    sentiment: { type: 'string', enum: SENTIMENTS },
    needs_human: { type: 'boolean' },
  }
  return {
    type: 'json_schema',
    json_schema: {
      name: 'ticket_labels',
      strict,
      schema: {
        type: 'object',
        properties: Object.fromEntries(properties.map((name) => [name, known[name]])),
        required: properties,
        additionalProperties: false,
      },
    },
  }
}

function revision(
  number: number,
  modifiedBy: string,
  createdAt: string,
  message: string,
  parameters: Record<string, unknown>,
): SampleRevision {
  return {
    revision: number,
    modified_by: modifiedBy,
    config: { config_name: 'ticket-triage', parameters },
    created_at: createdAt,
    message,
  }
}

export function ticketTriage(): SampleVariant {
  const first = { model: 'mistral-small', temperature: 0, max_tokens: 120, system: FIRST, user: TICKET }
  const defined = { ...first, system: DEFINED, user: TICKET_WITH_CHANNEL }
  const shaped = { ...defined, response_format: schema(['category', 'priority', 'sentiment'], false) }
  const withHuman = {
    ...shaped,
    system: [DEFINED, HUMAN, EXAMPLES].join('\n\n'),
    response_format: schema(['category', 'priority', 'sentiment', 'needs_human'], false),
  }
  const safer = {
    ...withHuman,
    system: [DEFINED, HUMAN, SAFETY, EXAMPLES].join('\n\n'),
    response_format: schema(['category', 'priority', 'sentiment', 'needs_human'], true),
  }
  return {
    id: 'ticket-triage',
    name: 'Ticket triage',
    created_at: '2026-09-07T11:58:40.006Z',
    revisions: [
      revision(
        1,
        'Jun',
        '2026-09-07T12:00:31.742Z',
        'The two-line prompt from the hackathon, as it was.',
        first,
      ),
      revision(
        2,
        'Jun',
        '2026-09-08T15:37:12.118Z',
        'Say what each priority means, and pass the channel: chats are short without being urgent.',
        defined,
      ),
      revision(
        3,
        'Tomás',
        '2026-09-15T09:44:50.390Z',
        'Ask for a JSON schema. One reply in twenty came wrapped in a Markdown fence.',
        shaped,
      ),
      revision(
        4,
        'Jun',
        '2026-09-23T13:20:05.667Z',
        'Add needs_human, with its rule and two examples, so that the inbox can route by it.',
        withHuman,
      ),
      revision(
        5,
        'Mira',
        '2026-10-02T08:15:27.851Z',
        'Safety is always urgent (r4: a filter that children drank from was "normal"). Strict schema.',
        safer,
      ),
    ],
  }
}
