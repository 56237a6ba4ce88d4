// What the regression gate decides about a candidate: the decision and its main reason in one line, all reasons in a popover.
import type { Comparison } from 'assay-client'
import { StateIcon } from '../../../results/state-icon.tsx'
import { Menu } from '../../../ui/menus/menu.tsx'
import { shortName } from '../evaluation-links.ts'
import type { Candidate } from '../statistics/outcomes.ts'
import styles from './gate.module.css'
import { GateDetails } from './gate-details.tsx'

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
