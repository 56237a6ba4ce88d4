// The notice that sample data is loaded, and the dialog that removes it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { useRef, useState } from 'react'
import { useCanWrite, useKey } from '../../../api/key.ts'
import { pluralize } from '../../../format/numbers.ts'
import { toast } from '../../../ui/toasts.tsx'
import styles from '../page.module.css'
import { findSample, removeSample, type Sample } from './sample.ts'
import { isSampleEvaluation } from './sample-contents.ts'

export function SampleNotice({ evaluations }: { evaluations: readonly Evaluation[] }) {
  const { data: key } = useKey()
  const mayWrite = useCanWrite()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  if (!evaluations.some(isSampleEvaluation)) return null
  return (
    <div className={styles.sample}>
      <span>
        Sample data is loaded: the support assistant of a fictional shop.{' '}
        {key && !mayWrite && 'To remove it, use a key with the write scope or delete the data folder.'}
      </span>
      {mayWrite && (
        <button
          type="button"
          onClick={() => {
            setIsDialogOpen(true)
            dialog.current?.showModal()
          }}
        >
          Remove sample data…
        </button>
      )}
      <dialog ref={dialog} aria-labelledby="remove-sample" onClose={() => setIsDialogOpen(false)}>
        <h2 id="remove-sample">Remove sample data?</h2>
        {isDialogOpen && <RemovalDialog onDone={() => dialog.current?.close()} />}
      </dialog>
    </div>
  )
}

function RemovalDialog({ onDone }: { onDone: () => void }) {
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['sample'],
    queryFn: ({ signal }) => findSample(signal),
    staleTime: 0,
  })
  const remove = useMutation({
    mutationFn: (sample: Sample) => removeSample(sample),
    onSuccess: () => toast('Sample data removed.'),
    onError: (error) => toast(`Not all sample data was removed: ${error.message}`),
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries()
    },
  })
  const sample = query.isFetching ? undefined : query.data
  return (
    <div className={styles.removalDialog}>
      <p>
        {sample
          ? `This deletes ${pluralize(sample.evaluations.length, 'evaluation')} and ${pluralize(sample.variants.length, 'variant')}. Your own data stays.`
          : 'Loading…'}
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
