// The dialog that removes the sample data.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Evaluation, Variant } from 'assay-client'
import { assay } from '../../../api/client.ts'
import { pluralize } from '../../../format/numbers.ts'
import { ConfirmDialog } from '../../../ui/messages/dialog.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'
import { isSampleEvaluation, isSampleVariant } from './sample-contents.ts'

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

interface Sample {
  evaluations: Evaluation[]
  /** Without those that other evaluations use. */
  variants: Variant[]
}

/** Finds and removes the sample data that `assay serve --sample` loads into an empty store. */
async function findSample(signal?: AbortSignal): Promise<Sample> {
  const evaluations: Evaluation[] = []
  const usedByOthers = new Set<string | null>()
  for await (const evaluation of assay.evaluations({}, { signal })) {
    if (isSampleEvaluation(evaluation)) evaluations.push(evaluation)
    else usedByOthers.add(evaluation.variant_id)
  }
  const variants: Variant[] = []
  for await (const variant of assay.variants({}, { signal })) {
    if (isSampleVariant(variant) && !usedByOthers.has(variant.id)) variants.push(variant)
  }
  return { evaluations, variants }
}

async function removeSample({ evaluations, variants }: Sample): Promise<void> {
  for (const { id } of evaluations) await assay.deleteEvaluation(id)
  for (const { id } of variants) await assay.deleteVariant(id)
}
