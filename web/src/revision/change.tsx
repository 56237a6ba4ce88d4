// One parameter that a revision changed: what it was and what it is.
import type { RevisionDiff } from 'assay-client'
import { stopAt } from '../diff/steps.tsx'
import { DiffView } from '../diff/view.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { LongText } from '../parts/long-text.tsx'
import { valueAt } from './paths.ts'
import styles from './revision.module.css'
import { stepOf, wordsOf } from './value-words.ts'

type ParameterChange = RevisionDiff['changes'][number]

/** How texts are laid beside each other. */
export interface TextLayout {
  isSplit: boolean
  isWrapped: boolean
  ignoresSpace: boolean
}

interface ChangeProps {
  change: ParameterChange
  /** The parameters of both revisions, with exact numbers. */
  before: unknown
  after: unknown
  /** What the two are called. */
  names: [before: string, after: string]
  layout: TextLayout
}

export function Change({ change: { path, old_path, kind }, before, after, names, layout }: ChangeProps) {
  const [old, now] = [valueAt(before, old_path ?? path), valueAt(after, path)]
  const texts = kind === 'changed' ? textsOf(old, now) : undefined
  return (
    // Of a text every stretch of lines is a change of its own.
    <li className={styles.change} {...(!texts && stopAt(`${kind} ${path}`))}>
      <div className={styles.what}>
        <code>{path}</code>
        <span className={styles.values}>
          {kind !== 'changed' && <span className={styles.kind}>{kind}</span>}
          {kind === 'changed' && !texts && <Scalars old={old} now={now} />}
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
          {texts && (
            <CopyButton text={bothOf(path, names, texts)} className={styles.copy ?? ''}>
              Copy both<span className="unseen"> texts of {path}</span>
            </CopyButton>
          )}
        </span>
      </div>
      {texts && (
        <div className={styles.text}>
          <DiffView
            old={texts[0]}
            text={texts[1]}
            names={names}
            chooser={null}
            isSplit={layout.isSplit}
            isWrapped={layout.isWrapped}
            ignoresSpace={layout.ignoresSpace}
            hasSteps={false}
          />
        </div>
      )}
    </li>
  )
}

/** The name of the configuration is no parameter, but changes like one. */
export function ConfigName({
  names: { old, new: now },
}: {
  names: NonNullable<RevisionDiff['config_name']>
}) {
  return (
    <li className={styles.change} {...stopAt('name')}>
      <div className={styles.what}>
        <span>name of the configuration</span>
        <span className={styles.values}>
          <Scalars old={old} now={now} />
        </span>
      </div>
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
function textsOf(old: unknown, now: unknown): [string, string] | undefined {
  if (typeof old !== 'string' || typeof now !== 'string') return undefined
  return isLong(old) || isLong(now) ? [old, now] : undefined
}

function isLong(text: string): boolean {
  return text.length > LONGEST_SHORT || text.includes('\n')
}

function bothOf(path: string, [before, after]: [string, string], [old, now]: [string, string]): string {
  return `${before} ${path}\n\n${old}\n\n${after} ${path}\n\n${now}\n`
}
