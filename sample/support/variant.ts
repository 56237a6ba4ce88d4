// The variant support-answer, which drafts the reply to a customer's question. Seven revisions with small changes.
import { dedent } from '../text.ts'
import type { SampleRevision, SampleVariant } from '../types.ts'
import { policyText, type Topic } from './policy.ts'

const NAIVE = dedent`
  You are a customer support agent of Larkfell, an online shop for outdoor gear.
  Answer the customer's question. Be friendly and helpful.
  Sign off as "The Larkfell team".`

const ROLE = dedent`
  You are a customer support agent of Larkfell, an online shop for outdoor gear.
  Draft the reply to the customer's question. A colleague reads it before it is sent.`

const GROUNDING = dedent`
  - Use only the help centre below and the customer record. If neither answers the question, say so and
    offer to ask a colleague. Never make up a number, a date or a fee.
  - Where a rule depends on a date, work the date out for this customer.
  - Reply in the language of the question.`

const WARM = dedent`
  - Begin with the customer's first name, be warm, and end with the next step.
  - Sign off as "The Larkfell team".`

const CITATION = dedent`
  - After each fact from the help centre, cite its section in square brackets, like this: [shipping §2].
    Cite only sections that exist.`

const SHORT = dedent`
  - At most three sentences. No greeting, no sign-off, no repetition of the question.`

const POINTER = dedent`
  - For everything about returns, refunds and exchanges the customer can also read larkfell.example/returns.`

function grounded(rules: string[], leftOut: Topic[] = []): string {
  return [ROLE, ['Rules:', ...rules].join('\n'), `# Help centre\n\n${policyText(leftOut)}`].join('\n\n')
}

const QUESTION_ONLY = '{{question}}'

const WITH_RECORD = dedent`
  Today is {{asked_on}}.

  <customer>
  {{customer}}
  </customer>

  <question language="{{language}}">
  {{question}}
  </question>`

interface Settings {
  model: string
  temperature: number
  max_tokens: number
  system: string
  user: string
}

function revision(
  number: number,
  modifiedBy: string,
  createdAt: string,
  message: string,
  settings: Settings,
): SampleRevision {
  return {
    revision: number,
    modified_by: modifiedBy,
    config: {
      config_name: 'support-answer',
      parameters: {
        model: settings.model,
        temperature: settings.temperature,
        max_tokens: settings.max_tokens,
        timeout_seconds: 60,
        messages: [
          { role: 'system', content: settings.system },
          { role: 'user', content: settings.user },
        ],
        stop: ['\n\nCustomer:'],
      },
    },
    created_at: createdAt,
    message,
  }
}

export function supportAnswer(): SampleVariant {
  const first = {
    model: 'gpt-4o-mini',
    temperature: 0.7,
    max_tokens: 1200,
    system: NAIVE,
    user: QUESTION_ONLY,
  }
  const informed = { ...first, system: grounded([GROUNDING, WARM]), user: WITH_RECORD }
  const citing = { ...informed, system: grounded([GROUNDING, CITATION, WARM]) }
  const steadier = { ...citing, model: 'claude-3-5-haiku', temperature: 0.2 }
  const shorter = {
    ...steadier,
    max_tokens: 220,
    system: grounded([GROUNDING, CITATION, SHORT, POINTER], ['returns', 'refunds', 'exchanges']),
  }
  const mended = { ...shorter, system: grounded([GROUNDING, CITATION, SHORT]) }
  const roomier = { ...mended, max_tokens: 900 }
  return {
    id: 'support-answer',
    name: 'Support answer',
    created_at: '2026-09-01T08:40:02.519Z',
    revisions: [
      revision(1, 'Mira', '2026-09-01T08:42:10.317Z', 'First draft, to have something to measure.', first),
      revision(
        2,
        'Mira',
        '2026-09-03T13:05:44.902Z',
        'Put the help centre and the customer record into the prompt: it invented a 90-day return window.',
        informed,
      ),
      revision(
        3,
        'Tomás',
        '2026-09-10T09:21:37.060Z',
        'Cite the section after every fact, so that the colleague who reads the draft can check it.',
        citing,
      ),
      revision(
        4,
        'Mira',
        '2026-09-17T14:48:05.771Z',
        'Move to claude-3-5-haiku at 0.2: mini answered German and Spanish tickets in English.',
        steadier,
      ),
      revision(
        5,
        'Tomás',
        '2026-09-29T16:12:59.238Z',
        'Make it shorter and cheaper: three sentences, and no returns, refunds, exchanges (on the site).',
        shorter,
      ),
      revision(
        6,
        'Mira',
        '2026-10-05T08:03:21.445Z',
        'Put returns, refunds and exchanges back: r5 made up fees and a 14-day window.',
        mended,
      ),
      revision(
        7,
        'Jun',
        '2026-10-08T10:30:48.613Z',
        'max_tokens 220 → 900: long answers were cut off in the middle of a word.',
        roomier,
      ),
    ],
  }
}
