// What a revision changed against the one before it, parameter by parameter, and what it left as it was.
import type { RevisionDiff } from 'assay-client'
import { useMemo } from 'react'
import { count, counted } from '../format/numbers.ts'
import { useCut } from '../parts/cut.ts'
import { Change } from './change.tsx'
import { Parameters } from './parameters.tsx'
import { isWithin, type Parameter, parametersOf } from './paths.ts'
import styles from './revision.module.css'

const SHOWN = 50

interface ChangesProps {
  difference: RevisionDiff
  before: unknown
  after: unknown
}

export function Changes({ difference, before, after }: ChangesProps) {
  const { changes, change_count, config_name, parameter_count } = difference
  const { items, left, showAll } = useCut(changes, SHOWN)
  const unchanged = useMemo(() => unchangedOf(after, difference), [after, difference])
  return (
    <section className={styles.section} aria-labelledby="changes">
      <h2 id="changes">
        What it changed{' '}
        <span className={styles.about}>
          {change_count === 0 ? 'no' : count(change_count)} of {counted(parameter_count, 'parameter')},
          against r{difference.from}
        </span>
      </h2>
      <ul className={styles.changes}>
        {config_name && (
          <li className={styles.change}>
            <div className={styles.what}>
              <span>name of the configuration</span>
              <span className={styles.values}>
                <del>{config_name.old}</del>
                <span aria-hidden="true">→</span>
                <span className="unseen">became</span>
                <ins>{config_name.new}</ins>
              </span>
            </div>
          </li>
        )}
        {items.map((change) => (
          <Change
            key={`${change.kind} ${change.path}`}
            change={change}
            before={before}
            after={after}
            names={[`r${difference.from}`, `r${difference.to}`]}
          />
        ))}
      </ul>
      {left > 0 && (
        <button type="button" onClick={showAll}>
          Show {counted(left, 'more change')}
        </button>
      )}
      {change_count > changes.length && <p>Only the first {count(changes.length)} changes are listed.</p>}
      {unchanged.length > 0 && (
        <details>
          <summary>{counted(unchanged.length, 'parameter')} unchanged</summary>
          <Parameters parameters={unchanged} />
        </details>
      )}
    </section>
  )
}

/** Empty where not all changes are known. */
function unchangedOf(parameters: unknown, { changes, change_count }: RevisionDiff): Parameter[] {
  if (change_count > changes.length) return []
  const changed = changes.filter(({ kind }) => kind === 'added' || kind === 'changed')
  const paths = new Set(changed.map(({ path }) => path))
  // A scalar that became a list is one change, at a path above those of its parameters.
  const containers = changed.filter((change) => isContainer(change.new)).map(({ path }) => path)
  return parametersOf(parameters).filter(
    ({ path }) => !paths.has(path) && !containers.some((container) => isWithin(path, container)),
  )
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
