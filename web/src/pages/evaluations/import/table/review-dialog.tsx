// The dialog with the first values of a table and a role menu per column. Nothing is stored before the user confirms it.
import type { ImportColumn } from 'assay-client'
import { useCallback, useId, useState } from 'react'
import { pluralize } from '../../../../format/numbers.ts'
import { showModal } from '../../../../ui/focus.ts'
import { cancelUpload, type Upload, useUploads } from '../uploads.ts'
import { ColumnRow } from './column-row.tsx'
import { rememberedChoices } from './remembered-columns.ts'
import styles from './review.module.css'
import {
  type ColumnChoice,
  evaluatorFor,
  findProblem,
  isSameChoice,
  ROLE_LABELS,
  type Role,
} from './roles.ts'

const CONFIRMED = 'confirmed'

function ReviewDialog({ upload, review }: { upload: Upload; review: NonNullable<Upload['review']> }) {
  const { columns, onConfirm } = review
  const headingId = useId()
  const [remembered] = useState(() => rememberedChoices(columns))
  const [choices, setChoices] = useState<ColumnChoice[]>(remembered ?? columns)
  const problem = findProblem(columns, choices)
  // As text, so that rows are not rendered again as long as the evaluators are the same.
  const scores = JSON.stringify(evaluatorsOf(choices))
  const changeChoice = useCallback(
    (index: number, choice: ColumnChoice) =>
      setChoices((previous) => adaptReasons(columns, previous.with(index, choice))),
    [columns],
  )
  return (
    <dialog
      ref={showModal}
      aria-labelledby={headingId}
      className={styles.dialog}
      onClose={({ currentTarget }) => {
        if (currentTarget.returnValue === CONFIRMED) onConfirm(choices)
        else cancelUpload(upload.id)
      }}
    >
      <header className={styles.header}>
        <h2 id={headingId}>
          Columns of <bdi>{upload.name}</bdi>
        </h2>
        <p className="muted">Check what each column contains.</p>
      </header>
      <div className={styles.notes} role="status">
        <Note problem={problem} choices={choices} />
        <Unrecognized columns={columns} choices={choices} />
        {remembered && choices !== columns && (
          <p>
            Roles from your last import of such a file.{' '}
            <button type="button" onClick={() => setChoices(columns)}>
              Reset
            </button>
          </p>
        )}
      </div>
      <div className={styles.columns}>
        <div className={styles.columnHeader} aria-hidden="true">
          <span>Column</span>
          <span>Contains</span>
          <span />
          <span>Detected</span>
          <span>First values</span>
        </div>
        <ul className={styles.columnList} aria-label="Columns">
          {columns.map((column, index) => (
            <ColumnRow
              key={column.name}
              column={column}
              index={index}
              choice={choices[index] ?? column}
              isRemembered={
                !!remembered && isSameChoice(remembered[index] ?? column, choices[index] ?? column)
              }
              scores={scores}
              onChange={changeChoice}
            />
          ))}
        </ul>
      </div>
      {/* Closing the dialog moves the focus back to where it was before. */}
      <form
        method="dialog"
        className={styles.footer}
        onSubmit={(event) => problem !== undefined && event.preventDefault()}
      >
        <span className="muted">Nothing is stored until you import.</span>
        <button type="button" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
          Cancel
        </button>
        <button
          ref={focusInDialog}
          type="submit"
          value={CONFIRMED}
          className="primary"
          aria-disabled={problem !== undefined}
        >
          {upload.options.dry_run ? 'Dry run' : 'Import'}
        </button>
      </form>
    </dialog>
  )
}

/** The element that a dialog focuses when it opens. The ref of the dialog is called after those of its elements. */
function focusInDialog(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
}

/** What is missing, else how many columns have the main roles. There is always a note, so that the rows do not move. */
function Note({ problem, choices }: { problem: string | undefined; choices: ColumnChoice[] }) {
  if (problem !== undefined) return <p className={styles.problem}>{problem}</p>
  const countOf = (role: Role) => choices.filter((choice) => choice.role === role).length
  if (countOf('score') === 0)
    return <p className={styles.problem}>No column contains a score. The evaluation will have no results.</p>
  const counts = (['input', 'output', 'expected', 'score'] as const)
    .filter((role) => countOf(role) > 0)
    .map((role) => pluralize(countOf(role), ROLE_LABELS[role].toLowerCase()))
  return (
    <p>
      {pluralize(choices.length, 'column')}: {counts.join(', ')}.
    </p>
  )
}

/** Which columns have the role of columns that were not recognized, and what that means. */
function Unrecognized({ columns, choices }: { columns: ImportColumn[]; choices: ColumnChoice[] }) {
  const isUnrecognized = (column: ImportColumn, index: number) =>
    column.origin === 'default' && isSameChoice(column, choices[index] ?? column)
  const unrecognized = columns.filter(isUnrecognized)
  const roles = [...new Set(unrecognized.map(({ role }) => role))]
  return roles.map((role) => {
    const names = unrecognized.filter((column) => column.role === role).map(({ name }) => name)
    const listed = names.slice(0, MAX_LISTED).join(', ')
    const others = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : ''
    return (
      <p key={role} className="muted">
        Not recognized: {listed}
        {others}. {UNRECOGNIZED_TEXTS[role] ?? `Stored as ${ROLE_LABELS[role].toLowerCase()}.`}
      </p>
    )
  })
}

const MAX_LISTED = 8
const UNRECOGNIZED_TEXTS: Partial<Record<Role, string>> = {
  input: 'Stored as inputs, which rows are matched by.',
  extra: 'Stored as extra data, which is shown with each row.',
}

function evaluatorsOf(choices: ColumnChoice[]): string[] {
  return [...new Set(choices.filter(({ role }) => role === 'score').map(({ key }) => key ?? ''))]
}

/** If the column of its evaluator is no score any more, a reason gets another evaluator. */
function adaptReasons(columns: ImportColumn[], choices: ColumnChoice[]): ColumnChoice[] {
  const scores = evaluatorsOf(choices)
  return columns.map((column, index) => {
    const choice = choices[index] ?? column
    const isOutdated = choice.role === 'reason' && !scores.includes(choice.key ?? '')
    return isOutdated ? { ...choice, key: evaluatorFor(column.name, scores) } : choice
  })
}

/** Opens the dialog in which the user confirms the columns of a table. */
export function TableReview() {
  const upload = useUploads().find(({ state }) => state === 'review')
  if (!upload?.review) return null
  return <ReviewDialog key={upload.id} upload={upload} review={upload.review} />
}
