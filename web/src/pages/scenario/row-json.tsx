// An open row as its stored JSON, indented but otherwise unchanged.
import { useId, useMemo } from 'react'
import { PlainText } from '../../content/plain-text.tsx'
import { indentJson } from '../../format/exact-json.ts'
import { CopyIcon, JsonToggle, SectionHeading } from '../../row-panel/value-box.tsx'
import styles from './reading.module.css'

interface RowJsonProps {
  text: string
  isWrapped: boolean
  onClose: () => void
}

export function RowJson({ text, isWrapped, onClose }: RowJsonProps) {
  const id = useId()
  const indentedJson = useMemo(() => indentJson(text), [text])
  return (
    <section aria-labelledby={id}>
      <SectionHeading id={id} title="JSON of this row" detail="as stored, with exact digits">
        <JsonToggle isPressed onToggle={onClose} />
        <CopyIcon text={text} label="Copy the JSON" />
      </SectionHeading>
      <div className={`${styles.box} ${styles.oneColumn}`}>
        <PlainText text={indentedJson} isWrapped={isWrapped} />
      </div>
    </section>
  )
}
