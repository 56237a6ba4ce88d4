// A row that a key of the project reads with all answers, and decides. A decision overrules the answers of reviewers.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { AssayError, type ReviewReport, type ReviewRowAnswers } from 'assay-client'
import { useState } from 'react'
import { assay } from '../../../api/client.ts'
import { useCanWrite } from '../../../api/key.ts'
import { FailedPage } from '../../../errors/error-page.tsx'
import { RowSkeleton } from '../../../row-panel/panel-content.tsx'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { useDocumentTitle } from '../../../ui/document-title.ts'
import { toast } from '../../../ui/messages/toasts.tsx'
import { AnswerText } from '../answer-text.tsx'
import { AnswerForm } from '../form/answer-form.tsx'
import { answersOf, type FormAnswers, type Question, readFormAnswers } from '../form/form-answers.ts'
import { useLabelOptions } from '../form/labels.ts'
import { disputedIds } from '../overview/results.ts'
import { reviewQuery, reviewRowQuery, reviewRowsQuery } from '../queries.ts'
import { Reading } from '../reading.tsx'
import styles from '../review.module.css'

export function Decision({ id, row }: { id: string; row: string }) {
  const report = useQuery(reviewQuery(id))
  const rows = useQuery(reviewRowsQuery(id))
  const scenario = useQuery(reviewRowQuery(id, row))
  const error = report.error ?? rows.error ?? scenario.error
  useDocumentTitle(row, report.data?.name ?? id)
  if (error instanceof AssayError) return <FailedPage error={error} />
  if (!report.data || !rows.data || !scenario.data) {
    return (
      <main className={styles.page}>
        <RowSkeleton failure={report.failureReason ?? rows.failureReason ?? scenario.failureReason} />
      </main>
    )
  }
  return <OpenRow key={row} report={report.data} rows={rows.data} scenario={scenario.data} />
}

interface OpenRowProps {
  report: ReviewReport
  rows: ReviewRowAnswers[]
  scenario: Parameters<typeof Reading>[0]['scenario']
}

function OpenRow({ report, rows, scenario }: OpenRowProps) {
  const { id, name } = report
  const mayWrite = useCanWrite()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const questions = formQuestions(report)
  const answers = rows.find(({ scenario_id }) => scenario_id === scenario.id)?.answers ?? []
  const [draft, setDraft] = useState(() =>
    readFormAnswers(
      questions,
      answers.filter(({ is_decision }) => is_decision),
    ),
  )
  const labelOptions = useLabelOptions(
    questions,
    rows.map((row) => row.answers),
  )
  const open = (row: string | undefined) =>
    navigate({ to: '/reviews/$reviewId', params: { reviewId: id }, search: { row }, replace: true })
  const disputed = disputedIds(report)
  /** Moves between disputed rows. */
  function move(step: 1 | -1) {
    const index = disputed.indexOf(scenario.id)
    const next = disputed[index === -1 ? 0 : index + step]
    if (next !== undefined) void open(next)
  }
  const decide = useMutation({
    mutationFn: (given: FormAnswers) =>
      assay.putReviewAnswers(id, scenario.id, { answers: answersOf(questions, given) }),
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['review', id, 'report'] }),
        queryClient.invalidateQueries({ queryKey: ['review', id, 'rows'] }),
      ])
      toast(`Row ${scenario.id} is decided.`)
      const others = disputed.filter((row) => row !== scenario.id)
      await open(others[disputed.indexOf(scenario.id)] ?? others[0])
    },
    onError: (error) => toast(`The decision was not saved. ${error.message}`),
  })
  const close = () => void open(undefined)
  const shortcuts = {
    j: { label: 'Next disputed row', run: () => move(1) },
    k: { label: 'Previous disputed row', run: () => move(-1) },
    Escape: { label: 'Close row', run: close },
  }
  const given = <GivenAnswers questions={questions} answers={answers} />
  return (
    <main className={styles.page}>
      <header className={styles.bar}>
        <h1 className="ellipsis">
          <span>Review</span> <bdi>{name ?? id}</bdi>
        </h1>
        <span className={styles.saved} />
        <Button size="small" shortcut="Esc" onClick={close}>
          All results
        </Button>
      </header>
      <div className={styles.split}>
        <Reading
          scenario={scenario}
          number={rows.findIndex(({ scenario_id }) => scenario_id === scenario.id) + 1}
          candidateSide={report.pairs?.find((pair) => pair.scenario_id === scenario.id)?.candidate_side}
          onMove={move}
        />
        {mayWrite ? (
          <AnswerForm
            label="Your decision"
            questions={questions}
            isReviewer={false}
            draft={draft}
            labelOptions={labelOptions}
            isDisabled={decide.isPending}
            onChange={setDraft}
            onSave={decide.mutate}
            secondary={{ label: 'Close', key: 'Escape', run: close }}
            shortcuts={shortcuts}
          >
            {given}
          </AnswerForm>
        ) : (
          <ReadOnly shortcuts={shortcuts}>{given}</ReadOnly>
        )}
      </div>
    </main>
  )
}

function ReadOnly({ shortcuts, children }: Parameters<typeof AnswerForm>[0] | ReadOnlyProps) {
  useShortcuts('page', shortcuts)
  return <aside className={styles.aside}>{children}</aside>
}

interface ReadOnlyProps {
  shortcuts: Parameters<typeof useShortcuts>[1]
  children: React.ReactNode
}

interface GivenAnswersProps {
  questions: readonly Question[]
  answers: ReviewRowAnswers['answers']
}

/** What reviewers answered, and the decision if there is one. */
function GivenAnswers({ questions, answers }: GivenAnswersProps) {
  return (
    <section aria-label="Answers">
      <ul className={styles.given}>
        {answers.map((answer) => (
          <li key={`${answer.evaluator} ${answer.by} ${answer.is_decision}`}>
            <strong>
              <bdi>{answer.by}</bdi>
            </strong>
            {answer.is_decision && <span className="quiet"> decided</span>}
            {questions.length > 1 && <span className="quiet"> {answer.evaluator}</span>}{' '}
            <AnswerText value={answer.value} />
            {answer.labels.length > 0 && <span className="muted">: {answer.labels.join(', ')}</span>}
            {answer.note !== null && <p className="muted">{answer.note}</p>}
          </li>
        ))}
        {answers.length === 0 && <li className="quiet">No answers yet.</li>}
      </ul>
    </section>
  )
}

/** The questions with the labels of all reviewers. */
function formQuestions({ questions, results }: ReviewReport): Question[] {
  return questions.map(({ labels, ...question }) => {
    const used = results.find(({ evaluator }) => evaluator === question.evaluator)?.labels ?? []
    const unused = labels.filter((label) => used.every((each) => each.label !== label))
    return { ...question, labels: [...used, ...unused.map((label) => ({ label, rows: 0 }))] }
  })
}
