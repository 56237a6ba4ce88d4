// The dialog that creates a review of the filtered rows: what is asked, about which rows, and by how many reviewers.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Review, ReviewWrite } from 'assay-client'
import { Plus, X } from 'lucide'
import { type FormEvent, useState } from 'react'
import { assay } from '../../../api/client.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { filterLabel } from '../../../filters/filter-labels.ts'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { formatDay } from '../../../format/times.ts'
import { reviewsQuery } from '../../../queries/reviews.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ChoiceMenu } from '../../../ui/menus/choice-menu.tsx'
import { closeDialog, Dialog, DialogButtons } from '../../../ui/messages/dialog.tsx'
import { Field, NumberField, NumberFields } from '../../../ui/messages/dialog-fields.tsx'
import styles from './review-dialog.module.css'

interface ReviewDialogProps {
  pageState: EvaluationState
  /** The number of filtered rows, once loaded. */
  rows: number | undefined
  onClose: () => void
}

export function ReviewDialog(props: ReviewDialogProps) {
  // The names of the evaluators depend on the other reviews.
  const { data: reviews, error } = useQuery(reviewsQuery(props.pageState.id))
  return (
    <Dialog title="Review rows with people" isWide onClose={props.onClose}>
      {error && <p role="alert">{error.message}</p>}
      {reviews && <ReviewForm {...props} reviews={reviews} />}
    </Dialog>
  )
}

/** Preferences belong to reviews of a comparison. */
type AnswerType = Exclude<ReviewWrite['questions'][number]['type'], 'preference'>

interface NewQuestion {
  id: number
  evaluator: string
  type: AnswerType
  question: string
  labels: string
}

const TYPES: Record<AnswerType, [name: string, question: string]> = {
  verdict: ['Pass or fail', 'Is the answer correct?'],
  label: ['One of several labels', 'Which one is it?'],
  number: ['A number', 'How good is the answer?'],
  text: ['A text', 'What should the answer be?'],
}

const DEFAULT_SAMPLE = 100

function ReviewForm({ pageState, rows, reviews, onClose }: ReviewDialogProps & { reviews: Review[] }) {
  const { id, query, baselineId } = pageState
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [name, setName] = useState(() => defaultName(rows))
  const [questions, setQuestions] = useState<NewQuestion[]>(() => [newQuestion(reviews, [])])
  const [isSampled, setIsSampled] = useState(false)
  const [sampleRows, setSampleRows] = useState(String(Math.min(DEFAULT_SAMPLE, rows ?? DEFAULT_SAMPLE)))
  const [seed, setSeed] = useState('0')
  const [reviewers, setReviewers] = useState('1')
  const [overlap, setOverlap] = useState('20')
  const usesBaseline = query.filters.some(([filter]) => filter.startsWith('delta.'))
  const create = useMutation({
    mutationFn: () =>
      assay.createReview(id, {
        name: name.trim() === '' ? null : name.trim(),
        filters: Object.fromEntries(query.filters.map(([filter, value]) => [filter, [value].flat()])),
        base_id: usesBaseline ? (baselineId ?? null) : null,
        sample: isSampled ? { rows: Number(sampleRows), seed: Number(seed) } : null,
        questions: questions.map(toQuestion),
        reviewers_per_row: Number(reviewers),
        overlap: Number(overlap) / 100,
      }),
    onSuccess: async (review) => {
      void queryClient.invalidateQueries({ queryKey: ['evaluation', id] })
      onClose()
      await navigate({ to: '/reviews/$reviewId', params: { reviewId: review.id } })
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!create.isPending) create.mutate()
  }
  function change(changed: NewQuestion) {
    setQuestions((all) => all.map((one) => (one.id === changed.id ? changed : one)))
  }
  return (
    <form onSubmit={submit}>
      <p className="muted">
        {rows === undefined ? 'The filtered rows' : pluralize(rows, 'row')}
        {query.filters.length > 0 && ` with ${query.filters.map(filterLabel).join(', ')}`}. Reviewers need no
        key: each gets a link. They see inputs, outputs and expected answers, but no scores, no names and no
        other answers.
      </p>
      <Field label="Name" hint="reviewers see it, so do not name the run">
        {(fieldId) => (
          <input
            id={fieldId}
            ref={focusInDialog}
            autoComplete="off"
            maxLength={200}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      {questions.map((question) => (
        <NewQuestionFields
          key={question.id}
          question={question}
          onChange={change}
          onRemove={
            questions.length > 1
              ? () => setQuestions((all) => all.filter((one) => one !== question))
              : undefined
          }
        />
      ))}
      <Button
        variant="plain"
        size="small"
        icon={Plus}
        className={styles.add}
        onClick={() => setQuestions((all) => [...all, newQuestion(reviews, all)])}
      >
        Add a question
      </Button>
      <NumberFields>
        <label>
          <input
            type="checkbox"
            checked={isSampled}
            onChange={({ target }) => setIsSampled(target.checked)}
          />
          Random sample{!isSampled && rows !== undefined && ` instead of all ${formatCount(rows)}`}
        </label>
        {isSampled && (
          <>
            <NumberField label="Rows" value={sampleRows} min={1} onChange={setSampleRows} />
            <NumberField label="Seed" value={seed} min={0} onChange={setSeed} />
          </>
        )}
      </NumberFields>
      <NumberFields>
        <NumberField label="Reviewers per row" value={reviewers} min={1} max={20} onChange={setReviewers} />
        <NumberField
          label="Rows with one more reviewer, %"
          value={overlap}
          min={0}
          max={100}
          onChange={setOverlap}
        />
      </NumberFields>
      <p className="quiet">Agreement between reviewers needs rows that two of them answer.</p>
      {create.error && <p role="alert">The review was not created. {create.error.message}</p>}
      <DialogButtons>
        <Button onClick={closeDialog}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={create.isPending}>
          Create review
        </Button>
      </DialogButtons>
    </form>
  )
}

/** Whether the form appears with the dialog or later. */
function focusInDialog(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
  element?.focus()
}

/** Not the name of the evaluation, which reviewers must not see. */
function defaultName(rows: number | undefined): string {
  const day = formatDay(new Date().toISOString())
  return rows === undefined ? day : `${pluralize(rows, 'row')}, ${day}`
}

/** Each question of an evaluation has an evaluator of its own. */
function newQuestion(reviews: readonly Review[], others: readonly NewQuestion[]): NewQuestion {
  const used = new Set(
    [...reviews.flatMap((review) => review.questions), ...others].map(({ evaluator }) => evaluator),
  )
  let evaluator = 'human_verdict'
  for (let number = 2; used.has(evaluator); number++) evaluator = `human_verdict_${number}`
  const id = Math.max(0, ...others.map((other) => other.id)) + 1
  return { id, evaluator, type: 'verdict', question: TYPES.verdict[1], labels: '' }
}

function toQuestion({ evaluator, type, question, labels }: NewQuestion): ReviewWrite['questions'][number] {
  const names = labels.split('\n').map((label) => label.trim())
  return {
    evaluator: evaluator.trim(),
    type,
    question: question.trim() === '' ? null : question.trim(),
    labels: hasLabels(type) ? [...new Set(names.filter((label) => label !== ''))] : [],
  }
}

const hasLabels = (type: AnswerType) => type === 'verdict' || type === 'label'

interface NewQuestionFieldsProps {
  question: NewQuestion
  onChange: (question: NewQuestion) => void
  onRemove: (() => void) | undefined
}

function NewQuestionFields({ question, onChange, onRemove }: NewQuestionFieldsProps) {
  const { type, evaluator, labels } = question
  const set = (change: Partial<NewQuestion>) => onChange({ ...question, ...change })
  function setType(next: AnswerType) {
    const isDefault = question.question === TYPES[type][1]
    set({ type: next, ...(isDefault && { question: TYPES[next][1] }) })
  }
  return (
    <fieldset className={styles.question}>
      <legend className="sr-only">Question</legend>
      <Field label="Question">
        {(id) => (
          <input
            id={id}
            value={question.question}
            onChange={({ target }) => set({ question: target.value })}
          />
        )}
      </Field>
      <div className={styles.pair}>
        <Field label="Answer">
          {() => (
            <ChoiceMenu
              isField
              title="Answer"
              value={type}
              options={Object.entries(TYPES).map(([value, [name]]) => ({ value, name }))}
              onSelect={(value) => setType(value as AnswerType)}
            />
          )}
        </Field>
        <Field label="Stored as evaluator">
          {(id) => (
            <input
              id={id}
              required
              maxLength={200}
              value={evaluator}
              onChange={({ target }) => set({ evaluator: target.value })}
            />
          )}
        </Field>
        {onRemove && <IconButton icon={X} size="small" label="Remove this question" onClick={onRemove} />}
      </div>
      {hasLabels(type) && (
        <Field
          label={type === 'verdict' ? 'Failure modes' : 'Labels'}
          hint="one per line; reviewers can add others"
        >
          {(id) => (
            <textarea
              id={id}
              rows={2}
              value={labels}
              onChange={({ target }) => set({ labels: target.value })}
            />
          )}
        </Field>
      )}
    </fieldset>
  )
}
