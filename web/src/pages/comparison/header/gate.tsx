// What the regression gate decides about a candidate: the decision and its main reason in one line, all reasons in a popover.
import type { Comparison } from 'assay-client'
import { formatList } from '../../../format/list.ts'
import { StateIcon } from '../../../results/state-icon.tsx'
import { Menu } from '../../../ui/menus/menu.tsx'
import { shortName } from '../evaluation-links.ts'
import type { Candidate } from '../statistics/statistics-rows.ts'
import styles from './gate.module.css'

const DECISIONS = {
  passed: ['pass', 'would pass'],
  failed: ['fail', 'would fail'],
  invalid: ['error', 'cannot be decided'],
} as const

export function GateLine({ comparison, candidate }: { comparison: Comparison; candidate: Candidate }) {
  const { id, gate } = candidate
  const [state, decision] = DECISIONS[gate.decision]
  return (
    <div className={styles.gate}>
      <Menu
        variant="plain"
        size="small"
        className={styles.decision}
        label={
          <>
            <StateIcon state={state} />
            <span>
              Gate
              {comparison.candidates.length > 1 ? (
                <>
                  {' for '}
                  <bdi className={styles.name}>{shortName(comparison, id)}</bdi>
                </>
              ) : (
                ':'
              )}{' '}
              <strong>{decision}</strong>
            </span>
          </>
        }
      >
        <GateDetails gate={gate} />
      </Menu>
      <bdi className={styles.reason}>{gate.reasons[0]?.detail}</bdi>
    </div>
  )
}

/** All reasons for the decision of the regression gate, the main one first, and the evaluators that it does not check. */
function GateDetails({ gate: { reasons, unchecked } }: Pick<Candidate, 'gate'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many reasons scroll, so the element must be focusable
    <div className={styles.details} tabIndex={0}>
      <ul className={styles.reasons}>
        {reasons.map(({ code, evaluator, detail }) => (
          <li key={`${code} ${evaluator} ${detail}`}>
            <bdi>{detail}</bdi>
          </li>
        ))}
      </ul>
      {unchecked.length > 0 && (
        <p className="muted">
          Not checked: <bdi>{formatList(unchecked)}</bdi>.
        </p>
      )}
      <p className="quiet">
        <code>assay compare --fail-on-regression</code> decides the same with its default rules.
      </p>
    </div>
  )
}
