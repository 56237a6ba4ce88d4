// Both revisions in a line each: who made it, when, and what it is called.
import { Link } from '@tanstack/react-router'
import { Ago } from '../parts/ago.tsx'
import styles from './page.module.css'
import type { ShownDiff } from './shown.ts'

export function Sides({ shown: { id, old, now } }: { shown: ShownDiff }) {
  const sides = old.number === now.number ? [old] : [old, now]
  return (
    <ul className={styles.sides}>
      {sides.map(({ number, revision }) => (
        <li key={number}>
          <Link
            to="/variants/$variantId/revisions/$revision"
            params={{ variantId: id, revision: String(number) }}
          >
            r{number}
          </Link>
          {revision && (
            <span>
              <span className="soft">by</span> <bdi>{revision.modified_by}</bdi>
              <span className="soft">
                , <Ago time={revision.created_at} />
              </span>
            </span>
          )}
          {revision && <bdi>{revision.config.config_name}</bdi>}
        </li>
      ))}
    </ul>
  )
}
