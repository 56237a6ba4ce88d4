// One parameter that a revision changed: what it was and what it is.
import type { RevisionDiff } from 'assay-client'
import { DiffView } from '../diff/view.tsx'
import { LongText } from '../parts/long-text.tsx'
import { valueAt } from './paths.ts'
import styles from './revision.module.css'
import { stepOf, wordsOf } from './value-words.ts'

type ParameterChange = RevisionDiff['changes'][number]

interface ChangeProps {
  change: ParameterChange
  /** The parameters of both revisions, with exact numbers. */
  before: unknown
  after: unknown
  /** What the two are called. */
  names: [before: string, after: string]
}

export function Change({ change: { path, old_path, kind }, before, after, names }: ChangeProps) {
  const [old, now] = [valueAt(before, old_path ?? path), valueAt(after, path)]
  const isText = kind === 'changed' && isLong(old) && isLong(now)
  return (
    <li className={styles.change}>
      <div className={styles.what}>
        <code>{path}</code>
        <span className={styles.values}>
          {kind !== 'changed' && <span className={styles.kind}>{kind}</span>}
          {kind === 'changed' && !isText && <Scalars old={old} now={now} />}
          {kind === 'added' && (
            <ins>
              <LongText text={wordsOf(now)} />
            </ins>
          )}
          {kind === 'removed' && (
            <del>
              <LongText text={wordsOf(old)} />
            </del>
          )}
          {old_path !== null && <span className="soft">was {old_path}</span>}
        </span>
      </div>
      {isText && (
        <div className={styles.text}>
          <DiffView old={old} text={now} names={names} chooser={null} isSplit={false} isWrapped={true} />
        </div>
      )}
    </li>
  )
}

function Scalars({ old, now }: { old: unknown; now: unknown }) {
  const step = stepOf(old, now)
  return (
    <>
      <del>
        <LongText text={wordsOf(old)} />
      </del>
      <span aria-hidden="true">→</span>
      <span className="unseen">became</span>
      <ins>
        <LongText text={wordsOf(now)} />
      </ins>
      {step && <span className="soft">{step}</span>}
    </>
  )
}

const LONGEST_SHORT = 80

/** Texts that are compared by line. */
function isLong(value: unknown): value is string {
  return typeof value === 'string' && (value.length > LONGEST_SHORT || value.includes('\n'))
}
