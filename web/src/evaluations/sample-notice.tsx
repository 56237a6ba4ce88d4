// Says that the sample is loaded, and how to be rid of it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { useRef, useState } from 'react'
import { counted } from '../format/numbers.ts'
import { useKey, useMayWrite } from '../shell/key.ts'
import { toast } from '../shell/toasts.tsx'
import styles from './page.module.css'
import { findSample, removeSample, type Sample } from './sample.ts'
import { isSampleEvaluation } from './sample-contents.ts'

export function SampleNotice({ evaluations }: { evaluations: readonly Evaluation[] }) {
  const { data: key } = useKey()
  const mayWrite = useMayWrite()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isAsking, setIsAsking] = useState(false)
  if (!evaluations.some(isSampleEvaluation)) return null
  return (
    <div className={styles.sample}>
      <span>
        The sample is loaded: the support assistant of an invented shop.{' '}
        {key &&
          !mayWrite &&
          'Delete the data folder to be rid of it, or remove it here with a key that may write.'}
      </span>
      {mayWrite && (
        <button
          type="button"
          onClick={() => {
            setIsAsking(true)
            dialog.current?.showModal()
          }}
        >
          Remove the sample…
        </button>
      )}
      <dialog ref={dialog} aria-labelledby="remove-sample" onClose={() => setIsAsking(false)}>
        <h2 id="remove-sample">Remove the sample?</h2>
        {isAsking && <Removal onDone={() => dialog.current?.close()} />}
      </dialog>
    </div>
  )
}

function Removal({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  const found = useQuery({
    queryKey: ['sample'],
    queryFn: ({ signal }) => findSample(signal),
    staleTime: 0,
  })
  const remove = useMutation({
    mutationFn: (sample: Sample) => removeSample(sample),
    onSuccess: () => toast('The sample is removed.'),
    onError: (error) => toast(`Not all of the sample was removed: ${error.message}`),
    onSettled: async () => {
      onDone()
      await queries.invalidateQueries()
    },
  })
  const sample = found.isFetching ? undefined : found.data
  return (
    <div className={styles.removal}>
      <p>
        {sample
          ? `${counted(sample.evaluations.length, 'evaluation')} and ${counted(sample.variants.length, 'variant')} are deleted. What you have imported or added to stays.`
          : 'Looking for what belongs to it…'}
      </p>
      <div>
        <button type="button" onClick={onDone}>
          Cancel
        </button>
        <button
          type="button"
          className="primary"
          disabled={!sample || remove.isPending}
          onClick={() => sample && remove.mutate(sample)}
        >
          {remove.isPending ? 'Removing…' : 'Remove'}
        </button>
      </div>
    </div>
  )
}
