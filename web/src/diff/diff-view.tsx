// Compares two texts, as JSON if both can be JSON objects or arrays.
import { type ReactNode, useMemo, useState } from 'react'
import { PlainText } from '../content/plain-text.tsx'
import { formatBytes } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import styles from './diff.module.css'
import { DiffTable, type DiffTableProps } from './diff-table.tsx'
import { diffTexts, INITIAL_COMPARE_LENGTH, textEquality } from './differences.ts'
import { jsonTextsOf } from './json-texts.ts'

export function DiffView(props: Omit<DiffViewProps, 'children'>) {
  if (![props.oldText, props.newText].every((text) => /^\s*[{[]/.test(text)))
    return <TextDiffView {...props} />
  return <JsonDiffView {...props} />
}

/** Compares two JSON texts with the same indentation, or as they are. Other texts are compared as text. */
function JsonDiffView({ oldText, newText, ...props }: DiffViewProps) {
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
        aria-label={isText ? 'Compare as JSON' : 'Compare as text'}
        onClick={() => setIsText(!isText)}
      >
        {isText ? 'As JSON' : 'As text'}
      </Button>
    </TextDiffView>
  )
}

interface DiffViewProps extends Omit<DiffTableProps, 'diff' | 'children'> {
  oldText: string
  newText: string
  /** The control that selects the texts, if there are several. */
  picker?: ReactNode
  ignoreWhitespace?: boolean
  /** Shown above the lines. Replaces the note about identical texts. */
  children?: ReactNode
}

/** Compares two texts: a summary, and a table of the changed lines. */
function TextDiffView(props: DiffViewProps) {
  const { oldText, newText, picker, ignoreWhitespace = false, children, ...tableProps } = props
  const [compareLength, setCompareLength] = useState(INITIAL_COMPARE_LENGTH)
  const diff = useMemo(
    () => diffTexts(oldText.slice(0, compareLength), newText.slice(0, compareLength), ignoreWhitespace),
    [oldText, newText, compareLength, ignoreWhitespace],
  )
  const equality = textEquality(oldText, newText)
  const maxLength = Math.max(oldText.length, newText.length)
  if (equality === 'identical') {
    return (
      <>
        <div className={styles.summary}>
          {picker}
          {children ?? <strong>Identical texts</strong>}
        </div>
        <PlainText text={newText} isWrapped={tableProps.isWrapped} isProse={tableProps.isProse ?? false} />
      </>
    )
  }
  return (
    <DiffTable diff={diff} {...tableProps}>
      {picker}
      {equality === 'whitespace' && <strong>Only whitespace differs</strong>}
      {children}
      {!diff.hasCommonWords && <p>No words in common</p>}
      {!diff.isComplete && <p>Too different to compare every word</p>}
      {maxLength > compareLength && (
        <p>
          in the first {formatBytes(compareLength)}{' '}
          <Button size="small" onClick={() => setCompareLength(Number.POSITIVE_INFINITY)}>
            Compare all {formatBytes(maxLength)}
          </Button>
        </p>
      )}
    </DiffTable>
  )
}
