// Short names of ranked evaluations, for the plot, the columns of rows and the sentence.
import type { Leaderboard } from 'assay-client'

export type RankedEvaluation = Leaderboard['evaluations'][number]

/** By id: the revision or the provider if it tells the evaluations apart, or else the name. */
export function shortNames(evaluations: readonly RankedEvaluation[]): ReadonlyMap<string, string> {
  const areDistinct = (names: (string | null)[]) =>
    !names.includes(null) && new Set(names).size === evaluations.length
  const isOneVariant = new Set(evaluations.map(({ variant_id }) => variant_id)).size === 1
  const revisions = evaluations.map(({ revision }) => (revision === null ? null : `r${revision}`))
  const providers = evaluations.map(({ provider }) => provider)
  const names =
    isOneVariant && areDistinct(revisions)
      ? revisions
      : areDistinct(providers)
        ? providers
        : evaluations.map(({ name, id }) => name ?? id)
  return new Map(evaluations.map(({ id }, index) => [id, names[index] ?? id]))
}

/** What ran, below the name of an evaluation: "support-answer r5 · gpt-5-mini". */
export function runDescription({
  name,
  id,
  variant_id,
  revision,
  label,
  provider,
}: RankedEvaluation): string {
  const variant = variant_id !== null && (revision === null ? variant_id : `${variant_id} r${revision}`)
  return [variant, label, provider].filter((part) => part && part !== (name ?? id)).join(' · ')
}
