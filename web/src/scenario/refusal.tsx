// Why there is nothing to show in a panel.
import { AssayError } from 'assay-client'
import styles from './scenario.module.css'

export function Refusal({ error }: { error: unknown }) {
  return (
    <p role="alert" className={styles.refusal}>
      {error instanceof AssayError ? `${error.title}. ${error.detail}` : String(error)}
    </p>
  )
}
