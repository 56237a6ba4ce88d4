// Plain text: prose in the font of the page, code with a fixed width.
import { useState } from 'react'
import { formatBytes } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import styles from './content.module.css'

/** Characters shown before the text is expanded. */
const INITIAL_LENGTH = 100_000

interface PlainTextProps {
  text: string
  isWrapped: boolean
  /** Prose is easier to read in the font of the page. Code and JSON need a fixed width. */
  isProse?: boolean
}

export function PlainText({ text, isWrapped, isProse = false }: PlainTextProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const hiddenText = isExpanded ? '' : text.slice(INITIAL_LENGTH)
  return (
    <>
      {text === '' ? (
        <p className={styles.hint}>This text is empty.</p>
      ) : (
        // Unwrapped lines scroll, so the element must be focusable.
        <pre
          className={[isWrapped ? styles.text : styles.unwrapped, isProse && styles.prose]
            .filter(Boolean)
            .join(' ')}
          tabIndex={isWrapped ? undefined : 0}
        >
          {hiddenText === '' ? text : text.slice(0, INITIAL_LENGTH)}
        </pre>
      )}
      {hiddenText !== '' && (
        <Button size="small" className={styles.showMore} onClick={() => setIsExpanded(true)}>
          Show the rest ({formatBytes(new Blob([hiddenText]).size)})
        </Button>
      )}
    </>
  )
}
