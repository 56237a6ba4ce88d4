// An address that names no page.
import { Link } from '@tanstack/react-router'
import styles from './parts.module.css'

export function NotFound() {
  return (
    <main className={styles.failure}>
      <h1>No such page</h1>
      <p>
        Nothing is at this address. <Link to="/">All evaluations</Link>
      </p>
    </main>
  )
}
