// The dialog that creates a review of a comparison: people see both answers of a row, and do not know which evaluation they are from.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Review } from 'assay-client'
import { type FormEvent, useState } from 'react'
import { assay } from '../../../api/client.ts'
import { formatCount } from '../../../format/numbers.ts'
import { formatDay } from '../../../format/times.ts'
import { reviewsQuery } from '../../../queries/reviews.ts'
import { Button } from '../../../ui/button.tsx'
import { closeDialog, Dialog, DialogButtons } from '../../../ui/messages/dialog.tsx'
import { Field, NumberField, NumberFields } from '../../../ui/messages/dialog-fields.tsx'

interface ReviewDialogProps {
  evaluations: [baseline: string, candidate: string]
  /** The number of matched rows. */
  rows: number
  onClose: () => void
}

export function ReviewDialog(props: ReviewDialogProps) {
  // The name of the evaluator depends on the other reviews.
  const { data: reviews, error } = useQuery(reviewsQuery(props.evaluations[1]))
  return (
    <Dialog title="Which answers are better?" isWide onClose={props.onClose}>
      {error && <p role="alert">{error.message}</p>}
      {reviews && <ReviewForm {...props} reviews={reviews} />}
    </Dialog>
  )
}

const DEFAULT_SAMPLE = 50

function ReviewForm({ evaluations, rows, reviews, onClose }: ReviewDialogProps & { reviews: Review[] }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [name, setName] = useState(() => `Answers, ${formatDay(new Date().toISOString())}`)
  const [question, setQuestion] = useState('Which answer is better?')
  const [evaluator, setEvaluator] = useState(() => newEvaluator(reviews))
  const [sampleRows, setSampleRows] = useState(String(Math.min(DEFAULT_SAMPLE, rows)))
  const [seed, setSeed] = useState('0')
  const [reviewers, setReviewers] = useState('1')
  const create = useMutation({
    mutationFn: () =>
      assay.createComparisonReview({
        evaluations,
        name: name.trim() === '' ? null : name.trim(),
        sample: { rows: Number(sampleRows), seed: Number(seed) },
        questions: [{ evaluator: evaluator.trim(), type: 'preference', question: question.trim() || null }],
        reviewers_per_row: Number(reviewers),
      }),
    onSuccess: async (review) => {
      void queryClient.invalidateQueries({ queryKey: ['evaluation', evaluations[1]] })
      onClose()
      await navigate({ to: '/reviews/$reviewId', params: { reviewId: review.id } })
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!create.isPending) create.mutate()
  }
  return (
    <form onSubmit={submit}>
      <p className="muted">
        Reviewers need no key: each gets a link. They see both answers of a row, left and right in random
        order, and do not know which evaluation an answer is from.
      </p>
      <Field label="Name" hint="reviewers see it, so do not name the runs">
        {(id) => (
          <input
            id={id}
            autoComplete="off"
            maxLength={200}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label="Question">
        {(id) => <input id={id} value={question} onChange={({ target }) => setQuestion(target.value)} />}
      </Field>
      <Field label="Stored as evaluator">
        {(id) => (
          <input
            id={id}
            required
            maxLength={200}
            value={evaluator}
            onChange={({ target }) => setEvaluator(target.value)}
          />
        )}
      </Field>
      <NumberFields>
        <NumberField
          label={`Random rows of ${formatCount(rows)}`}
          value={sampleRows}
          min={1}
          onChange={setSampleRows}
        />
        <NumberField label="Seed" value={seed} min={0} onChange={setSeed} />
        <NumberField label="Reviewers per row" value={reviewers} min={1} max={20} onChange={setReviewers} />
      </NumberFields>
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

/** Each question of an evaluation has an evaluator of its own. */
function newEvaluator(reviews: readonly Review[]): string {
  const used = new Set(reviews.flatMap(({ questions }) => questions).map(({ evaluator }) => evaluator))
  let evaluator = 'preference'
  for (let number = 2; used.has(evaluator); number++) evaluator = `preference_${number}`
  return evaluator
}
