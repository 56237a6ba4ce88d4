// Notes as far as they are written. They stay until they are saved or given up, so that neither another scenario, a server
// that is away nor a key that ends takes away what somebody has typed.
const drafts = new Map<string, string>()

export interface Draft {
  text(): string | undefined
  keep(text: string): void
  giveUp(): void
}

export function draftOf(evaluationId: string, scenarioId: string): Draft {
  const place = JSON.stringify([evaluationId, scenarioId])
  return {
    text: () => drafts.get(place),
    keep: (text) => {
      drafts.set(place, text)
    },
    giveUp: () => {
      drafts.delete(place)
    },
  }
}
