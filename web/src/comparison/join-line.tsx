// How rows were matched, and how that can be changed; then which revisions ran and what differs between them.
import type { Comparison } from 'assay-client'
import { useChangeSearch } from '../change-search.ts'
import { count, counted, percent } from '../format/numbers.ts'
import { Menu } from '../parts/menu.tsx'
import { nameOf } from './compared.ts'
import { Configuration } from './configuration.tsx'
import styles from './head.module.css'
import { listed } from './outcomes.ts'
import type { Shown } from './shown.ts'

export function JoinLine({ shown }: { shown: Shown }) {
  const { comparison } = shown
  if (!comparison) return <div className={styles.details} />
  return (
    <div className={styles.details}>
      <Menu className={styles.by} title="What rows are matched by" label={matchedBy(comparison.join.by)}>
        <Choices shown={shown} comparison={comparison} />
      </Menu>
      <Matched comparison={comparison} />
      <Configuration comparison={comparison} />
    </div>
  )
}

/** "matched by inputs" */
function matchedBy(by: string): string {
  if (by === 'id') return 'matched by id'
  if (by === 'input') return 'matched by inputs'
  if (by === 'position') return 'matched by place'
  return `matched by ${by.slice('input.'.length)}`
}

/** One number for all candidates, or one for each in their order. */
function Matched({ comparison }: { comparison: Comparison }) {
  const { evaluations, candidates } = comparison
  const rows = evaluations[0]?.scenario_count ?? 0
  const counts = candidates.map(({ matched }) => count(matched))
  return (
    <span
      title={candidates
        .map(
          ({ id, matched, match_rate }) =>
            `${nameOf(comparison, id)}: ${counted(matched, 'row')}, ${percent(match_rate)} of the smaller evaluation`,
        )
        .join('\n')}
    >
      {new Set(counts).size === 1 ? counts[0] : listed(counts)} of {count(rows)} rows
    </span>
  )
}

function Choices({ shown, comparison }: { shown: Shown; comparison: Comparison }) {
  const change = useChangeSearch()
  const { join, evaluations } = comparison
  const [base, ...others] = evaluations
  const inputs = (base?.inputs ?? []).filter((name) => others.every((one) => one.inputs.includes(name)))
  const choices: [by: string, words: string][] = [
    ['auto', 'Automatically: ids, else inputs, else place'],
    ['id', 'The id of the scenario'],
    ['input', 'All inputs'],
    ...inputs.map((name): [string, string] => [`input.${name}`, `The input ${name}`]),
    ['position', 'The place in the evaluation'],
  ]
  return (
    <div className={`options ${styles.ways}`}>
      {choices.map(([by, words]) => {
        const tried = join.tried.find((one) => one.by === by)
        return (
          <button
            key={by}
            type="button"
            className="plain"
            aria-pressed={shown.view.by === by}
            onClick={() => change({ by: by === 'auto' ? undefined : by, row: undefined, side: undefined })}
          >
            <span>{words}</span>
            {tried && <span className="soft">{percent(tried.match_rate)} match</span>}
          </button>
        )
      })}
    </div>
  )
}
