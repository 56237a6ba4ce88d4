// How many rows matched, with a menu for the join key.
import type { Comparison } from 'assay-client'
import { formatList } from '../../../format/list.ts'
import { formatCount, formatPercent, pluralize } from '../../../format/numbers.ts'
import { Menu } from '../../../ui/menus/menu.tsx'
import { evaluationName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { JoinKeyItems } from './join-key-items.tsx'
import styles from './statistics.module.css'

interface MatchedRowsProps {
  state: ComparisonState
  comparison: Comparison
}

/** One number if it is the same for all candidates, or else one per candidate. */
export function MatchedRows({ state, comparison }: MatchedRowsProps) {
  const { evaluations, candidates, join } = comparison
  const rows = evaluations[0]?.row_count ?? 0
  const counts = candidates.map(({ matched }) => formatCount(matched))
  const details = candidates.map(
    ({ id, matched, match_rate }) =>
      `${evaluationName(comparison, id)}: ${pluralize(matched, 'row')}, ${formatPercent(match_rate)} of the smaller evaluation`,
  )
  return (
    <span className={styles.matched}>
      <span className="quiet" data-tooltip={details.join('\n')}>
        {new Set(counts).size === 1 ? counts[0] : formatList(counts)} of {formatCount(rows)} rows
      </span>
      <Menu variant="plain" size="small" title="How rows are matched" label={matchedBy(join.by)}>
        <JoinKeyItems state={state} comparison={comparison} />
      </Menu>
    </span>
  )
}

/** "matched by inputs" */
function matchedBy(by: string): string {
  return `matched by ${by === 'input' ? 'inputs' : by.replace(/^input\./, '')}`
}
