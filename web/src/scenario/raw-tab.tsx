// The scenario as the service has it: every token as it was written, only laid out on lines.
import { useMemo } from 'react'
import { PlainText } from '../content/content.tsx'
import { indented } from '../format/exact.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import styles from './scenario.module.css'

export function RawTab({ text, isWrapped }: { text: string; isWrapped: boolean }) {
  const laidOut = useMemo(() => indented(text), [text])
  return (
    <section className={styles.value}>
      <h3 className={styles.valueHead}>
        JSON <span className={styles.type}>every digit as it was written</span>
        <CopyButton text={text} className="plain">
          Copy<span className="unseen"> the JSON</span>
        </CopyButton>
      </h3>
      <PlainText text={laidOut} isWrapped={isWrapped} />
    </section>
  )
}
