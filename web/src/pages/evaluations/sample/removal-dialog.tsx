// The dialog that removes the sample data.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { pluralize } from '../../../format/numbers.ts'
import { ConfirmDialog } from '../../../ui/messages/confirm-dialog.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'
import { findSample, removeSample, type Sample } from './sample.ts'

export function RemovalDialog({ onClose }: { onClose: () => void }) {
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
    onSettled: () => queryClient.invalidateQueries(),
  })
  const sample = query.isFetching ? undefined : query.data
  return (
    <ConfirmDialog
      title="Remove sample data?"
      buttonLabel="Remove"
      isDisabled={!sample || remove.isPending}
      onClose={onClose}
      onConfirm={() => sample && remove.mutate(sample)}
    >
      <p>
        {sample
          ? `This deletes ${pluralize(sample.evaluations.length, 'evaluation')} and ${pluralize(sample.variants.length, 'variant')}. Your own data stays.`
          : 'Loading…'}
      </p>
    </ConfirmDialog>
  )
}
