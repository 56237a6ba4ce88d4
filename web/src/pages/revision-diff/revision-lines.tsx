// One line per revision: author, time, configuration name and message.
import { Link } from '@tanstack/react-router'
import type { Revision } from '../../queries/variants.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'
import styles from './page.module.css'

export function RevisionLines({ id, revisions }: { id: string; revisions: Revision[] }) {
  return (
    <ul className={styles.revisions}>
      {revisions.map(({ revision, modified_by, created_at, config, message }) => (
        <li key={revision}>
          <Link
            to="/variants/$variantId/revisions/$revision"
            params={{ variantId: id, revision: String(revision) }}
          >
            r{revision}
          </Link>
          <span>
            <span className="muted">by</span> <bdi>{modified_by}</bdi>
            <span className="muted">
              , <TimeAgo time={created_at} />
            </span>
          </span>
          <bdi>{config.config_name}</bdi>
          {message && <q>{message}</q>}
        </li>
      ))}
    </ul>
  )
}
