// The whole page while nothing is there: how to bring the first results in. It goes on by itself when they are.
import { useMayWrite } from '../shell/key.ts'
import { FileButton } from './file-button.tsx'
import styles from './import.module.css'
import { ImportOptions } from './import-choices.tsx'
import { ImportLines } from './import-lines.tsx'
import { NoWriting } from './import-strip.tsx'
import { UploadList } from './upload-list.tsx'

export function FirstRun() {
  const mayWrite = useMayWrite()
  return (
    <main className={styles.first}>
      <h1>Import your results</h1>
      <p className="soft">
        Nothing is here yet. Results of promptfoo, Inspect, DeepEval, lm-evaluation-harness, Phoenix and
        OpenAI, and tables as CSV or JSON are taken as they are.
      </p>
      {mayWrite ? (
        <>
          <div className={styles.zone}>
            <p>Drop files anywhere on this page, or</p>
            <FileButton className="primary" />
          </div>
          <UploadList />
          <details>
            <summary>Options</summary>
            <ImportOptions />
          </details>
        </>
      ) : (
        <p>
          <NoWriting />
        </p>
      )}
      <h2>Or from a shell or a program</h2>
      <ImportLines />
      <p className="soft" role="status">
        This page goes on by itself when the first results arrive.
      </p>
    </main>
  )
}
