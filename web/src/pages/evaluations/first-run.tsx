// The empty state of the evaluations page: how to import the first results. It is replaced when they arrive.
import styles from './import/import.module.css'
import { ImportForm } from './import/import-form.tsx'

export function FirstRun() {
  return (
    <main className={styles.firstRun}>
      <h1>Import your results</h1>
      <p className="muted">
        No evaluations yet. Import a file of your evaluation tool, or send results from code.
      </p>
      <ImportForm />
      <p className="quiet" role="status">
        This page updates when the first results arrive.
      </p>
    </main>
  )
}
