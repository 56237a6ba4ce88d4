// One changed parameter: old and new value, or a line diff for long texts.
import type { RevisionDiff } from 'assay-client'
import { ArrowRight } from 'lucide'
import { changeAttributes } from '../../diff/change-steps.tsx'
import { DiffView } from '../../diff/diff-view.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LongText } from '../../ui/truncation.tsx'
import styles from '../revisions.module.css'
import { valueAt } from './parameter-paths.ts'
import { numberChange, valueLabel } from './value-labels.ts'

type ParameterChange = RevisionDiff['changes'][number]

/** Layout of text diffs. */
export interface TextLayout {
  isSplit: boolean
  isWrapped: boolean
  ignoreWhitespace: boolean
}

interface ChangeProps {
  change: ParameterChange
  /** The parameters of the old and the new revision. Numbers keep all their digits. */
  oldParameters: unknown
  newParameters: unknown
  /** Names of the two revisions. */
  names: [oldName: string, newName: string]
  layout: TextLayout
}

export function Change({ change, oldParameters, newParameters, names, layout }: ChangeProps) {
  const { path, old_path, kind } = change
  const [oldValue, newValue] = [valueAt(oldParameters, old_path ?? path), valueAt(newParameters, path)]
  const texts = kind === 'changed' ? longTexts(oldValue, newValue) : undefined
  return (
    // In a text diff, every block of changed lines is a change of its own.
    <li className={styles.change} {...(!texts && changeAttributes(`${kind} ${path}`))}>
      <div className={styles.changeHeader}>
        <code>{path}</code>
        <span className={styles.values}>
          {kind !== 'changed' && <span className={styles.kind}>{kind}</span>}
          {kind === 'changed' && !texts && <ValueChange oldValue={oldValue} newValue={newValue} />}
          {kind === 'added' && (
            <ins>
              <LongText text={valueLabel(newValue)} />
            </ins>
          )}
          {kind === 'removed' && (
            <del>
              <LongText text={valueLabel(oldValue)} />
            </del>
          )}
          {old_path !== null && <span className="muted">was {old_path}</span>}
          {texts && (
            <CopyButton text={copyTextOf(path, names, texts)} className={styles.copy ?? ''}>
              Copy both<span className="sr-only"> texts of {path}</span>
            </CopyButton>
          )}
        </span>
      </div>
      {texts && (
        <div className={styles.text}>
          <DiffView oldText={texts[0]} newText={texts[1]} names={names} {...layout} hasStepButtons={false} />
        </div>
      )}
    </li>
  )
}

/** The configuration name is not a parameter, but its change is listed like one. */
export function ConfigNameChange({ names }: { names: NonNullable<RevisionDiff['config_name']> }) {
  return (
    <li className={styles.change} {...changeAttributes('name')}>
      <div className={styles.changeHeader}>
        <span>configuration name</span>
        <span className={styles.values}>
          <ValueChange oldValue={names.old} newValue={names.new} />
        </span>
      </div>
    </li>
  )
}

function ValueChange({ oldValue, newValue }: { oldValue: unknown; newValue: unknown }) {
  const difference = numberChange(oldValue, newValue)
  return (
    <>
      <del>
        <LongText text={valueLabel(oldValue)} />
      </del>
      <Icon icon={ArrowRight} size={14} />
      <span className="sr-only">changed to</span>
      <ins>
        <LongText text={valueLabel(newValue)} />
      </ins>
      {difference && <span className="muted">{difference}</span>}
    </>
  )
}

const MAX_INLINE_LENGTH = 80

/** Both values if they are long texts, which are shown as a line diff. */
function longTexts(oldValue: unknown, newValue: unknown): [string, string] | undefined {
  if (typeof oldValue !== 'string' || typeof newValue !== 'string') return undefined
  return isLong(oldValue) || isLong(newValue) ? [oldValue, newValue] : undefined
}

function isLong(text: string): boolean {
  return text.length > MAX_INLINE_LENGTH || text.includes('\n')
}

function copyTextOf(
  path: string,
  [oldName, newName]: [string, string],
  [oldText, newText]: [string, string],
): string {
  return `${oldName} ${path}\n\n${oldText}\n\n${newName} ${path}\n\n${newText}\n`
}
