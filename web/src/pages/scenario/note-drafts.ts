// Unsaved notes. They are stored until they are saved or discarded, so that opening another scenario, a failed request or
// an expired key does not lose typed text.
const drafts = new Map<string, string>()

export interface NoteDraft {
  text(): string | undefined
  set(text: string): void
  discard(): void
}

export function noteDraft(evaluationId: string, scenarioId: string): NoteDraft {
  const key = JSON.stringify([evaluationId, scenarioId])
  return {
    text: () => drafts.get(key),
    set: (text) => {
      drafts.set(key, text)
    },
    discard: () => {
      drafts.delete(key)
    },
  }
}
