// The form in which the tickets of the triage test set are written.

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
  /** What the model said, where it is not what was expected. */
  said: Labels | null
}

/** Labels are written `category priority sentiment`, and `human` after them if a person has to look at it. */
export function ticket(
  channel: 'email' | 'chat' | 'form',
  subject: string,
  body: string,
  expected: string,
  said?: string,
): Ticket {
  return {
    channel,
    subject,
    body,
    expected: labels(expected),
    said: said === undefined ? null : labels(said),
  }
}

function labels(written: string): Labels {
  const [category, priority, sentiment, human] = written.split(' ')
  const isKnown =
    CATEGORIES.some((each) => each === category) &&
    PRIORITIES.some((each) => each === priority) &&
    SENTIMENTS.some((each) => each === sentiment)
  if (!category || !priority || !sentiment || !isKnown) throw new Error(`not labels: ${written}`)
  return { category, priority, sentiment, needs_human: human === 'human' }
}
