// What people prefer, if they reviewed a comparison: one row per question.
import { Link } from '@tanstack/react-router'
import type { Comparison } from 'assay-client'
import { useRestriction } from '../../../api/restriction.ts'
import { preferenceText } from '../../../format/preference-text.ts'
import { shortName } from '../evaluation-links.ts'
import styles from './statistics.module.css'
import { MAX_COLUMNS } from './statistics-table-rows.tsx'

export function PreferenceRows({ comparison }: { comparison: Comparison }) {
  const isRestricted = useRestriction() !== null
  return comparison.candidates.flatMap(({ id, preferences }) =>
    preferences.map((preference) => (
      <tbody key={`${id} ${preference.review_id} ${preference.evaluator}`}>
        <tr>
          <th scope="row" className={styles.evaluator} data-tooltip={preference.evaluator}>
            {isRestricted ? (
              preference.evaluator
            ) : (
              <Link to="/reviews/$reviewId" params={{ reviewId: preference.review_id }}>
                <bdi>{preference.evaluator}</bdi>
              </Link>
            )}
          </th>
          <td colSpan={MAX_COLUMNS - 1} className={styles.labels}>
            {preferenceText(shortName(comparison, id), preference)}
          </td>
        </tr>
      </tbody>
    )),
  )
}
