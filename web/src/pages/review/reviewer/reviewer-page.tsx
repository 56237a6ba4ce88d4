// What the link of a reviewer opens: one row at a time, with the form next to it.
import { useQuery } from '@tanstack/react-query'
import { AssayError, type ReviewForm, type ReviewRowAnswers } from 'assay-client'
import { EyeOff, Undo2 } from 'lucide'
import { FailedPage } from '../../../errors/error-page.tsx'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { RowSkeleton } from '../../../row-panel/panel-content.tsx'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { useDocumentTitle } from '../../../ui/document-title.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Keys } from '../../../ui/keys.tsx'
import { MessageBlock } from '../../../ui/messages/message-block.tsx'
import { AnswerForm } from '../form/answer-form.tsx'
import { choicesOf } from '../form/choice-field.tsx'
import { useLabelOptions } from '../form/labels.ts'
import { reviewFormQuery, reviewRowsQuery } from '../queries.ts'
import { Reading } from '../reading.tsx'
import styles from '../review.module.css'
import { SaveStatus } from './save-status.tsx'
import { type Session, useSession } from './session.ts'

export function ReviewerPage({ id }: { id: string }) {
  const form = useQuery(reviewFormQuery(id))
  const rows = useQuery(reviewRowsQuery(id))
  useDocumentTitle(form.data?.name ?? id, 'Review')
  const error = form.error ?? (rows.data ? null : rows.error)
  if (error instanceof AssayError) return <FailedPage error={error} />
  if (!form.data || !rows.data) {
    return (
      <main className={styles.page}>
        <RowSkeleton failure={form.failureReason ?? rows.failureReason} />
      </main>
    )
  }
  return <LoadedPage form={form.data} rows={rows.data} />
}

function LoadedPage({ form, rows }: { form: ReviewForm; rows: ReviewRowAnswers[] }) {
  const session = useSession(form.id, form, rows)
  const labelOptions = useLabelOptions(
    form.questions,
    session.rows.map(({ answers }) => answers),
  )
  const { openId, scenario, isRequesting, failureReason } = session
  const shortcuts = {
    u: { label: 'Undo the last answer', run: session.undo },
    j: { label: 'Next row', run: () => session.move(1) },
    k: { label: 'Previous row', run: () => session.move(-1) },
  }
  return (
    <main className={styles.page}>
      <ProgressBar form={form} session={session} />
      {openId === undefined && !isRequesting ? (
        <NothingOpen form={form} session={session} shortcuts={shortcuts} />
      ) : (
        <div className={styles.split}>
          {scenario && !(isRequesting && failureReason) ? (
            <Reading
              scenario={scenario}
              number={session.rows.findIndex(({ scenario_id }) => scenario_id === openId) + 1}
              isStale={isRequesting}
              onMove={session.move}
            >
              <p className={styles.blind}>
                <Icon icon={EyeOff} />
                Scores of judges, other reviewers and the name of the run are hidden.
              </p>
              {form.instructions && <p className={styles.instructions}>{form.instructions}</p>}
            </Reading>
          ) : (
            <section aria-label="Row" className={styles.reading}>
              <RowSkeleton failure={failureReason} />
            </section>
          )}
          <AnswerForm
            label="Your answer"
            questions={form.questions}
            isReviewer
            draft={session.draft}
            labelOptions={labelOptions}
            isDisabled={isRequesting || !scenario}
            onChange={session.setDraft}
            onSave={session.save}
            secondary={{ label: 'Skip', key: 's', run: session.skip }}
            shortcuts={shortcuts}
          />
        </div>
      )}
    </main>
  )
}

function ProgressBar({ form, session }: { form: ReviewForm; session: Session }) {
  const { answered, rows, skipped } = session
  const share = (count: number) => `${(100 * count) / Math.max(1, rows.length)}%`
  return (
    <header className={styles.bar}>
      <h1 className="ellipsis">
        <span>Review</span> <bdi>{form.name ?? form.id}</bdi>
      </h1>
      <span
        role="progressbar"
        aria-label="Rows answered"
        aria-valuemin={0}
        aria-valuenow={answered}
        aria-valuemax={rows.length}
        className={styles.progress}
        ref={(element) => {
          element?.style.setProperty('--answered', share(answered))
          element?.style.setProperty('--skipped', share(answered + skipped.length))
        }}
      />
      <span className={styles.count}>
        <strong>{formatCount(answered)}</strong> of {formatCount(rows.length)}
        {skipped.length > 0 && (
          <>
            ,{' '}
            <button
              type="button"
              className={`plain count-link ${styles.link}`}
              onClick={session.openFirstSkipped}
            >
              {formatCount(skipped.length)} skipped
            </button>
          </>
        )}
      </span>
      <SaveStatus reviewer={form.reviewer} outbox={session.outbox} />
      <Button
        size="small"
        icon={Undo2}
        aria-keyshortcuts="u"
        disabled={!session.canUndo}
        onClick={session.undo}
      >
        Undo
        <Keys keys={['u']} />
      </Button>
    </header>
  )
}

interface NothingOpenProps {
  form: ReviewForm
  session: Session
  shortcuts: Parameters<typeof useShortcuts>[1]
}

/** The end of the review, or a pause until other reviewers have answered. */
function NothingOpen({ form: { questions }, session, shortcuts }: NothingOpenProps) {
  const { rows, remaining, answered } = session
  const hasOpenRows = remaining > 0
  useShortcuts('page', {
    ...shortcuts,
    ...(hasOpenRows && { Enter: { label: 'Look again', run: session.retry } }),
  })
  const review = (
    <Button icon={Undo2} disabled={!session.canUndo} onClick={session.undo}>
      Open the last row again
      <Keys keys={['u']} />
    </Button>
  )
  if (rows.length === 0) {
    return (
      <MessageBlock title="No rows to review">
        <p>
          No row matches this review, or other reviewers have answered all of them. You can close the tab.
        </p>
      </MessageBlock>
    )
  }
  if (hasOpenRows) {
    return (
      <MessageBlock
        title={`${pluralize(remaining, 'row')} left, open at other reviewers`}
        actions={
          <>
            <Button variant="primary" onClick={session.retry}>
              Look again
              <Keys keys={['Enter']} />
            </Button>
            {review}
          </>
        }
      >
        <p>A row is free again when its reviewer has answered it or has left it for 5 minutes.</p>
      </MessageBlock>
    )
  }
  const counted = questions.find((question) => choicesOf(question, true).length > 0)
  const values = rows.flatMap(({ answers }) =>
    answers.filter(({ evaluator }) => evaluator === counted?.evaluator).map(({ value }) => value),
  )
  return (
    <MessageBlock title="You have answered all rows" actions={review}>
      <p>
        Thank you. {pluralize(answered, 'row')}
        {session.outbox.unsaved.length === 0 ? ' are stored. You can close the tab.' : ' are answered.'}
      </p>
      {counted && (
        <ul className={styles.totals}>
          {choicesOf(counted, true).map(({ name, value, icon, className }) => (
            <li key={name}>
              <span className={className}>
                <Icon icon={icon} />
              </span>{' '}
              {name} <strong>{formatCount(values.filter((each) => each === value).length)}</strong>
            </li>
          ))}
        </ul>
      )}
    </MessageBlock>
  )
}
