// The Raw tab: the stored JSON of a scenario, indented but otherwise unchanged.
import { useMemo } from 'react'
import { PlainText } from '../../content/content.tsx'
import { indentJson } from '../../format/exact-json.ts'
import styles from '../../row-panel/row-panel.module.css'
import { CopyButton } from '../../ui/copy-button.tsx'

export function RawTab({ text, isWrapped }: { text: string; isWrapped: boolean }) {
  const indentedText = useMemo(() => indentJson(text), [text])
  return (
    <section className={styles.value}>
      <h3 className={styles.valueHeader}>
        JSON <span className={styles.type}>exact digits</span>
        <CopyButton text={text} className="plain">
          Copy<span className="sr-only"> the JSON</span>
        </CopyButton>
      </h3>
      <PlainText text={indentedText} isWrapped={isWrapped} />
    </section>
  )
}
