// The failure modes, or other labels, of a question: the most frequent first, with a form that renames and merges them.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { LabelComparison } from 'assay-client'
import { Merge } from 'lucide'
import { useId, useState } from 'react'
import { assay } from '../../../api/client.ts'
import { useCanWrite } from '../../../api/key.ts'
import { formatCount, formatDecimal, pluralize } from '../../../format/numbers.ts'
import { Button } from '../../../ui/button.tsx'
import { Box } from '../../../ui/cards/box.tsx'
import { Bar } from '../../../ui/charts/bar.tsx'
import { Triangle } from '../../../ui/icon.tsx'
import { closeDialog, Dialog, DialogButtons } from '../../../ui/messages/dialog.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'
import styles from './overview.module.css'
import type { AnswerResult } from './results.ts'

interface FailureModesProps {
  /** The id of the review. */
  id: string
  evaluationId: string
  /** The evaluation whose labels are compared. */
  baselineId: string | null
  result: AnswerResult
  name: string | undefined
}

export function FailureModes({ id, evaluationId, baselineId, result, name }: FailureModesProps) {
  const mayWrite = useCanWrite()
  const [isOpen, setIsOpen] = useState(false)
  const { labels, passed, results, type, evaluator } = result
  const { data: comparison } = useQuery({
    queryKey: ['review', id, 'label comparison', evaluator, baselineId],
    queryFn: ({ signal }) =>
      assay.compareReviewLabels({ evaluation: [baselineId ?? '', evaluationId], on: evaluator }, { signal }),
    enabled: baselineId !== null,
    // The baseline can have no review that asks the same.
    retry: false,
  })
  const changes = comparison && comparison.common_rows > 0 ? comparison.labels : []
  const isVerdict = type === 'verdict'
  return (
    <Box
      title={isVerdict ? 'Failure modes' : 'Labels'}
      name={name}
      detail={
        comparison && changes.length > 0
          ? `from the baseline to this run, on ${pluralize(comparison.common_rows, 'common row')}`
          : isVerdict && passed !== null && `${pluralize(results - passed, 'row')} failed`
      }
      controls={
        mayWrite && (
          <Button size="small" variant="plain" icon={Merge} onClick={() => setIsOpen(true)}>
            Merge or rename
          </Button>
        )
      }
    >
      <LabelBars labels={labels} changes={changes} />
      {isOpen && <MergeDialog id={id} result={result} onClose={() => setIsOpen(false)} />}
    </Box>
  )
}

type LabelChange = LabelComparison['labels'][number]

interface LabelBarsProps extends Pick<AnswerResult, 'labels'> {
  /** Against the baseline, over the rows that people have judged in both. */
  changes: readonly LabelChange[]
}

/** A bar per label. */
function LabelBars({ labels, changes }: LabelBarsProps) {
  const most = Math.max(1, ...labels.map(({ rows }) => rows))
  return (
    <ol className={styles.bars}>
      {labels.map(({ label, rows }) => (
        <li key={label}>
          <bdi className="ellipsis">{label}</bdi>
          <Bar share={rows / most} />
          <span className="number">
            {formatCount(rows)} <span className="sr-only">{rows === 1 ? 'row' : 'rows'}</span>
          </span>
          {changes.length > 0 && <Change change={changes.find((each) => each.label === label)} />}
        </li>
      ))}
    </ol>
  )
}

/** "2 → 6", with a triangle if the interval excludes 0. */
function Change({ change }: { change: LabelChange | undefined }) {
  if (!change) return <span />
  const { state, base_rows, rows, interval } = change
  const direction = state === 'more' ? 'worse' : state === 'less' ? 'better' : undefined
  const points = interval?.map((share) => formatDecimal(share * 100, 0)).join(' to ')
  return (
    <span
      className={`number ${direction ?? 'quiet'}`}
      data-tooltip={points && `Change in percentage points: ${points} (95 % interval)`}
    >
      {direction && <Triangle direction={direction} />} {formatCount(base_rows)} to {formatCount(rows)}
      {(state === 'new' || state === 'gone') && ` ${state}`}
    </span>
  )
}

interface MergeDialogProps {
  id: string
  result: AnswerResult
  onClose: () => void
}

function MergeDialog({ id, result: { evaluator, labels }, onClose }: MergeDialogProps) {
  const fieldId = useId()
  const queryClient = useQueryClient()
  const [selected, setSelected] = useState<string[]>([])
  const [name, setName] = useState('')
  const merge = useMutation({
    mutationFn: () => assay.mergeReviewLabels(id, { evaluator, labels: selected, to: name.trim() }),
    onSuccess: async ({ answers }) => {
      await queryClient.invalidateQueries({ queryKey: ['review', id] })
      toast(`Changed ${pluralize(answers, 'answer')}.`)
      onClose()
    },
  })
  function toggle(label: string, isSelected: boolean) {
    const next = isSelected ? [...selected, label] : selected.filter((each) => each !== label)
    setSelected(next)
    // The most frequent one is the best suggestion.
    if (name === '' || labels.some((each) => each.label === name))
      setName(labels.find((each) => next.includes(each.label))?.label ?? '')
  }
  const isRenaming = selected.length === 1
  return (
    <Dialog title="Merge or rename failure modes" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          merge.mutate()
        }}
      >
        <p>Select one to rename it, or several to merge them. All answers keep their verdicts and notes.</p>
        <fieldset className={styles.choices}>
          <legend className="sr-only">Failure modes</legend>
          {labels.map(({ label, rows }) => (
            <label key={label}>
              <input
                type="checkbox"
                checked={selected.includes(label)}
                onChange={({ target }) => toggle(label, target.checked)}
              />
              <bdi>{label}</bdi> <span className="quiet">{formatCount(rows)}</span>
            </label>
          ))}
        </fieldset>
        <label htmlFor={fieldId}>New name</label>
        <input
          id={fieldId}
          autoComplete="off"
          maxLength={200}
          required
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {merge.error && <p role="alert">Nothing was changed. {merge.error.message}</p>}
        <DialogButtons>
          <Button onClick={closeDialog}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={selected.length === 0 || name.trim() === '' || merge.isPending}
          >
            {isRenaming || selected.length === 0 ? 'Rename' : `Merge ${selected.length}`}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
