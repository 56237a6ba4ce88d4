// How rows were matched, with a menu to change the join key; then the revisions and their differences.
import type { Comparison } from 'assay-client'
import { formatCount, formatPercent, pluralize } from '../../../format/numbers.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import page from '../../../table/page.module.css'
import { Menu } from '../../../ui/menu.tsx'
import { evaluationName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { formatList } from '../statistics/outcomes.ts'
import { Configuration } from './configuration.tsx'
import styles from './header.module.css'

export function JoinLine({ state }: { state: ComparisonState }) {
  const { comparison } = state
  if (!comparison) return <div className={`${page.details} ${styles.details}`} />
  return (
    <div className={`${page.details} ${styles.details}`}>
      <Menu className={styles.joinKey} title="How rows are matched" label={matchedBy(comparison.join.by)}>
        <JoinKeyChoices state={state} comparison={comparison} />
      </Menu>
      <MatchedRows comparison={comparison} />
      <Configuration comparison={comparison} />
    </div>
  )
}

/** "matched by inputs" */
function matchedBy(by: string): string {
  return `matched by ${by === 'input' ? 'inputs' : by.replace(/^input\./, '')}`
}

/** One number if it is the same for all candidates, or else one per candidate. */
function MatchedRows({ comparison }: { comparison: Comparison }) {
  const { evaluations, candidates } = comparison
  const rows = evaluations[0]?.scenario_count ?? 0
  const counts = candidates.map(({ matched }) => formatCount(matched))
  return (
    <span
      title={candidates
        .map(
          ({ id, matched, match_rate }) =>
            `${evaluationName(comparison, id)}: ${pluralize(matched, 'row')}, ${formatPercent(match_rate)} of the smaller evaluation`,
        )
        .join('\n')}
    >
      {new Set(counts).size === 1 ? counts[0] : formatList(counts)} of {formatCount(rows)} rows
    </span>
  )
}

function JoinKeyChoices({ state, comparison }: { state: ComparisonState; comparison: Comparison }) {
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
    <div className={`options ${styles.joinChoices}`}>
      {choices.map(([by, label]) => {
        const tried = join.tried.find((attempt) => attempt.by === by)
        return (
          <button
            key={by}
            type="button"
            className="plain"
            aria-pressed={state.params.by === by}
            onClick={() =>
              changeParams({ by: by === 'auto' ? undefined : by, row: undefined, side: undefined })
            }
          >
            <span>{label}</span>
            {tried && <span className="muted">{formatPercent(tried.match_rate)} match</span>}
          </button>
        )
      })}
    </div>
  )
}
