// The types of the triage test set.

export const CATEGORIES = [
  'delivery',
  'return',
  'refund',
  'order_change',
  'warranty_repair',
  'product_question',
  'payment',
  'loyalty',
  'privacy',
  'other',
] as const
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export const SENTIMENTS = ['positive', 'neutral', 'negative', 'angry'] as const

export interface Labels {
  category: string
  priority: string
  sentiment: string
  needs_human: boolean
}

export interface Ticket {
  channel: string
  subject: string
  body: string
  expected: Labels
  /** The labels of the model, if they are not the expected ones. */
  modelLabels: Labels | null
}

/** Creates a ticket. Labels have the format `category priority sentiment`, with `human` added if a person must check it. */
export function ticket(
  channel: 'email' | 'chat' | 'form',
  subject: string,
  body: string,
  expected: string,
  modelLabels?: string,
): Ticket {
  return {
    channel,
    subject,
    body,
    expected: parseLabels(expected),
    modelLabels: modelLabels === undefined ? null : parseLabels(modelLabels),
  }
}

function parseLabels(text: string): Labels {
  const [category, priority, sentiment, human] = text.split(' ')
  const isKnown =
    CATEGORIES.some((known) => known === category) &&
    PRIORITIES.some((known) => known === priority) &&
    SENTIMENTS.some((known) => known === sentiment)
  if (!category || !priority || !sentiment || !isKnown) throw new Error(`invalid labels: ${text}`)
  return { category, priority, sentiment, needs_human: human === 'human' }
}
