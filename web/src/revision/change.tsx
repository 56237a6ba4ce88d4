// One parameter that a revision changed: what it was and what it is.
import type { RevisionDiff } from 'assay-client'
import { wordsOfLines } from '../variant/changes.ts'
import { ExactNumber, wordsOf } from './exact.ts'
import { LongText } from './long-text.tsx'
import { valueAt } from './paths.ts'
import styles from './revision.module.css'
import { TextChange } from './text-change.tsx'

export type ParameterChange = RevisionDiff['changes'][number]

interface ChangeProps {
  change: ParameterChange
  /** The parameters of both revisions, with exact numbers. */
  before: unknown
  after: unknown
}

export function Change({ change: { path, old_path, kind, lines }, before, after }: ChangeProps) {
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
          {isText && lines && <span className="soft">{wordsOfLines(lines)}</span>}
          {old_path !== null && <span className="soft">was {old_path}</span>}
        </span>
      </div>
      {isText && <TextChange old={old} now={now} />}
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

/** How far a number went: "+0.1"; undefined where it is none, or has more digits than can be subtracted. */
export function stepOf(old: unknown, now: unknown): string | undefined {
  if (!(old instanceof ExactNumber && now instanceof ExactNumber)) return undefined
  const [from, to] = [Number(old.text), Number(now.text)]
  const step = Number((to - from).toPrecision(12))
  if (Math.abs(from) > Number.MAX_SAFE_INTEGER || Math.abs(to) > Number.MAX_SAFE_INTEGER) return undefined
  if (!Number.isFinite(step) || step === 0) return undefined
  return `${step < 0 ? '−' : '+'}${Math.abs(step)}`
}
