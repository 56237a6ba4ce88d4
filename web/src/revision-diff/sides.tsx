// Revisions in a line each: who made it, when, what it is called, and what was said about it.
import { Link } from '@tanstack/react-router'
import { Ago } from '../parts/ago.tsx'
import type { Revision } from '../variant/questions.ts'
import styles from './page.module.css'

export function Sides({ id, revisions }: { id: string; revisions: Revision[] }) {
  return (
    <ul className={styles.sides}>
      {revisions.map(({ revision, modified_by, created_at, config, message }) => (
        <li key={revision}>
          <Link
            to="/variants/$variantId/revisions/$revision"
            params={{ variantId: id, revision: String(revision) }}
          >
            r{revision}
          </Link>
          <span>
            <span className="soft">by</span> <bdi>{modified_by}</bdi>
            <span className="soft">
              , <Ago time={created_at} />
            </span>
          </span>
          <bdi>{config.config_name}</bdi>
          {message && <q>{message}</q>}
        </li>
      ))}
    </ul>
  )
}
