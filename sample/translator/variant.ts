// The variant reply-translator, which translates a reply into the customer's language. Four revisions.
import { dedent } from '../text.ts'
import type { SampleRevision, SampleVariant } from '../types.ts'

const FIRST = 'Translate the following text into {{target_language}}:\n\n{{reply}}'

const ROLE = dedent`
  You translate the replies of a customer support team into {{target_language}}.

  - Translate the meaning, the way a native speaker in a shop would say it.
  - Keep names, numbers, dates, prices, order numbers, links and emoji exactly as they are.
  - Reply with the translation only.`

const GLOSSARY_RULE = dedent`
  - Use the glossary where a term is in it. "Trail Points" is a name and stays in English.`

const POLITE_RULE = dedent`
  - Use the polite form of the language (Sie, vous, です・ます, 하십시오체), except in Spanish, where we say tú.`

const GLOSSARY = {
  de: { 'gift card': 'Gutschein', 'return label': 'Rücksendeetikett' },
  fr: { 'pick-up point': 'point relais', refund: 'remboursement' },
  es: { refund: 'reembolso', 'return label': 'etiqueta de devolución' },
  pl: { warranty: 'gwarancja', refund: 'zwrot pieniędzy' },
  pt: { parcel: 'encomenda', 'return label': 'etiqueta de devolução' },
}

const WIDER_GLOSSARY = {
  ...GLOSSARY,
  uk: { order: 'замовлення' },
  el: { refund: 'επιστροφή χρημάτων' },
  ar: { 'gift card': 'بطاقة هدايا' },
  hi: { warranty: 'वारंटी' },
  ja: { return: '返品', refund: '返金' },
  ko: { refund: '환불' },
  zh: { 'order number': '订单号' },
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
    config: { config_name: 'reply-translator', parameters },
    created_at: createdAt,
    message,
  }
}

export function replyTranslator(): SampleVariant {
  const first = { model: 'gpt-4o-mini', temperature: 0.3, max_tokens: 600, prompt: FIRST }
  const instructed = {
    model: 'gpt-4o-mini',
    temperature: 0.3,
    max_tokens: 600,
    system: ROLE,
    user: '{{reply}}',
  }
  const withTerms = {
    model: 'mistral-small',
    temperature: 0.1,
    max_tokens: 600,
    system: `${ROLE}\n${GLOSSARY_RULE}`,
    user: '{{reply}}',
    glossary: GLOSSARY,
  }
  const withManners = {
    ...withTerms,
    system: `${ROLE}\n${GLOSSARY_RULE}\n${POLITE_RULE}`,
    glossary: WIDER_GLOSSARY,
  }
  return {
    id: 'reply-translator',
    name: 'Reply translator',
    created_at: '2026-09-16T10:09:33.870Z',
    revisions: [
      revision(1, 'Tomás', '2026-09-16T10:11:08.254Z', 'One line, to see how far it goes.', first),
      revision(
        2,
        'Tomás',
        '2026-09-21T14:52:19.533Z',
        'Real instructions: it translated the order numbers, and began every reply with "Sure!".',
        instructed,
      ),
      revision(
        3,
        'Jun',
        '2026-09-28T09:06:41.097Z',
        'Add a glossary for five languages, and try mistral-small, at half the price.',
        withTerms,
      ),
      revision(
        4,
        'Jun',
        '2026-10-07T12:33:56.720Z',
        'Polite forms, and a glossary for all twelve languages: r3 was too familiar in Japanese.',
        withManners,
      ),
    ],
  }
}
