// Short names of evaluations that are shown together: in plots, columns and sentences.

interface NamedEvaluation {
  id: string
  name: string | null
  variant_id: string | null
  revision: number | null
  /** Only leaderboards have it. */
  provider?: string | null
}

/** By id: the revision, the model or the provider, if it tells the evaluations apart, or else the name without what all begin with. */
export function shortNames(evaluations: readonly NamedEvaluation[]): ReadonlyMap<string, string> {
  const areDistinct = (names: (string | null)[]) =>
    !names.includes(null) && new Set(names).size === evaluations.length
  const isOneVariant = new Set(evaluations.map(({ variant_id }) => variant_id)).size === 1
  const revisions = evaluations.map(({ revision }) => (revision === null ? null : `r${revision}`))
  const providers = evaluations.map(({ provider = null }) => provider)
  // "openai:chat:gpt-5"
  const models = providers.map((provider) => provider?.split(':').at(-1) || null)
  const names =
    [isOneVariant ? revisions : [], models, providers].find(areDistinct) ??
    withoutCommonStart(evaluations.map(({ name, id }) => name ?? id))
  return new Map(evaluations.map(({ id }, index) => [id, names[index] ?? id]))
}

/** Without the whole words that all names begin with. */
function withoutCommonStart(names: string[]): string[] {
  const [first = ''] = names
  const starts = [...first.matchAll(/[\s:/]+/g)].map(({ index, 0: { length } }) => index + length)
  const start = starts.findLast((end) => names.every((name) => name.startsWith(first.slice(0, end))))
  const rests = names.map((name) => name.slice(start ?? 0))
  return rests.includes('') ? names : rests
}
