// Compares two JSON texts with the same indentation, or as they are. Other texts are compared as text.
import { useMemo, useState } from 'react'
import { Button } from '../ui/button.tsx'
import styles from './diff.module.css'
import { jsonTextsOf } from './json-texts.ts'
import { type DiffViewProps, TextDiffView } from './text-diff-view.tsx'

export function JsonDiffView({ oldText, newText, ...props }: DiffViewProps) {
  const json = useMemo(() => jsonTextsOf(oldText, newText), [oldText, newText])
  const [isText, setIsText] = useState(false)
  if (!json || oldText === newText) return <TextDiffView {...props} oldText={oldText} newText={newText} />
  const isEqualJson = !isText && json.oldText === json.newText
  return (
    <TextDiffView
      {...props}
      {...(isText ? { oldText, newText } : { oldText: json.oldText, newText: json.newText, isProse: false })}
    >
      {isEqualJson && <strong>Only whitespace differs</strong>}
      {json.isOnlyOrderDifferent && !isEqualJson && <strong>Only the order of members differs</strong>}
      <Button
        size="small"
        variant="plain"
        className={styles.switch}
        aria-label={isText ? 'Compare as JSON' : 'Compare as text'}
        onClick={() => setIsText(!isText)}
      >
        {isText ? 'As JSON' : 'As text'}
      </Button>
    </TextDiffView>
  )
}
