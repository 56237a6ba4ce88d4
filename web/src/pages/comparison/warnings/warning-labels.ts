// Short labels of comparison warnings. Warnings with the same code and evaluation are grouped.
import type { Comparison } from 'assay-client'
import { formatList } from '../../../format/list.ts'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { shortName } from '../evaluation-links.ts'

type Warning = Comparison['warnings'][number]

export type WarningGroup = ReturnType<typeof warningGroups>[number]

export function warningGroups(comparison: Comparison) {
  const groups = Map.groupBy(comparison.warnings, ({ code, evaluation }) => `${code} ${evaluation}`)
  return [...groups.values()].flatMap((warnings) => {
    const [firstWarning] = warnings
    if (!firstWarning) return []
    const { code, evaluation } = firstWarning
    return { code, evaluation, label: warningLabel(firstWarning, warnings, comparison), warnings }
  })
}

function warningLabel(
  { code, evaluation, rows }: Warning,
  warnings: Warning[],
  comparison: Comparison,
): string {
  const name = evaluation === null ? '' : shortName(comparison, evaluation)
  const evaluators = formatList(warnings.flatMap(({ evaluator }) => evaluator ?? []))
  const rowCount = pluralize(rows ?? 0, 'row')
  switch (code) {
    case 'rows-missing':
      return missingLabel(comparison, evaluation)
    case 'answers-differ':
      return `${rowCount} of ${name} with a different expected answer`
    case 'inputs-differ':
      return `${rowCount} of ${name} with different inputs than the matched row`
    case 'ids-generated':
      return `${rowCount} of ${name} with a generated id, not matched by id`
    case 'evaluator-missing':
      return `${evaluators} not in both ${shortName(comparison, comparison.evaluations[0]?.id ?? '')} and ${name}`
    case 'evaluator-differs':
      return `different settings of ${evaluators} in ${name}`
    case 'types-differ':
      return `${rowCount} of ${name} equal as text, with different types`
    case 'rows-grouped':
      return `${rowCount} of ${name} with repeats, found by equal inputs`
    case 'rows-repeated':
      return `${rowCount} of ${name} with a duplicate join key`
    case 'joined-by-position':
      return 'matched by position only'
    case 'unfinished':
      return `${name} did not finish`
  }
}

/** "2 rows only in geo-v3, 1 only in geo-v4" */
function missingLabel(comparison: Comparison, id: string | null): string {
  const candidate = comparison.candidates.find((item) => item.id === id)
  if (!candidate || id === null) return 'rows without a match'
  const { only_in_base, only_in_candidate } = candidate
  const baseline = shortName(comparison, comparison.evaluations[0]?.id ?? '')
  const sides: [number, string][] = [
    [only_in_base, baseline],
    [only_in_candidate, shortName(comparison, id)],
  ]
  const [firstSide, secondSide] = sides.filter(([rows]) => rows > 0)
  if (!firstSide) return 'rows without a match'
  return `${pluralize(firstSide[0], 'row')} only in ${firstSide[1]}${secondSide ? `, ${formatCount(secondSide[0])} only in ${secondSide[1]}` : ''}`
}
