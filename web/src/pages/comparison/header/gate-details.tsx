// All reasons for the decision of the regression gate, the main one first, and the evaluators that it does not check.
import { formatList } from '../../../format/list.ts'
import type { Candidate } from '../statistics/outcomes.ts'
import styles from './gate.module.css'

export function GateDetails({ gate: { reasons, unchecked } }: Pick<Candidate, 'gate'>) {
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
