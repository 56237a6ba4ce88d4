// How many rows matched, with a menu for the join key.
import type { Comparison } from 'assay-client'
import { formatList } from '../../../format/list.ts'
import { formatCount, formatPercent, pluralize } from '../../../format/numbers.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Menu, MenuItem, MenuItems } from '../../../ui/menus/menu.tsx'
import { evaluationName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
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

interface JoinKeyItemsProps {
  state: ComparisonState
  comparison: Comparison
}

/** The join keys to choose from, with how many rows they match. */
function JoinKeyItems({ state, comparison }: JoinKeyItemsProps) {
  const changeParams = useChangeSearchParams()
  const { join, evaluations } = comparison
  const [baseline, ...candidates] = evaluations
  const inputs = (baseline?.inputs ?? []).filter((name) =>
    candidates.every((candidate) => candidate.inputs.includes(name)),
  )
  const choices: [by: string, label: string][] = [
    ['auto', 'Automatic: ids, then inputs, then position'],
    ['id', 'Scenario id'],
    ['input', 'All inputs'],
    ...inputs.map((name): [string, string] => [`input.${name}`, `Input ${name}`]),
    ['position', 'Position in the evaluation'],
  ]
  return (
    <MenuItems>
      {choices.map(([by, label]) => {
        const tried = join.tried.find((attempt) => attempt.by === by)
        return (
          <MenuItem
            key={by}
            isChosen={state.params.by === by}
            detail={tried && `${formatPercent(tried.match_rate)} match`}
            onClick={() =>
              changeParams({ by: by === 'auto' ? undefined : by, row: undefined, side: undefined })
            }
          >
            {label}
          </MenuItem>
        )
      })}
    </MenuItems>
  )
}
