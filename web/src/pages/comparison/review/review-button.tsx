// The button that lets people say which evaluation of a comparison is better.
import { ClipboardCheck } from 'lucide'
import { Suspense, useState } from 'react'
import { useCanWrite } from '../../../api/key.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyComponent } from '../../../ui/messages/lazy-component.tsx'
import type { ComparisonState } from '../page-state.ts'

const ReviewDialog = lazyComponent(async () => (await import('./review-dialog.tsx')).ReviewDialog)

/** Reviewers see the baseline and the first candidate. */
export function ReviewButton({ state: { params, comparison } }: { state: ComparisonState }) {
  const mayWrite = useCanWrite()
  const [isOpen, setIsOpen] = useState(false)
  const matched = comparison?.candidates[0]?.matched ?? 0
  const canReview = mayWrite && matched > 0
  const open = () => setIsOpen(true)
  const label = 'Let people say which answers are better'
  useShortcuts('page', canReview ? { r: { label, run: open } } : {})
  if (!canReview) return null
  const [baseline = '', candidate = ''] = params.evaluations
  return (
    <>
      <Button variant="plain" size="small" icon={ClipboardCheck} tooltip={label} shortcut="r" onClick={open}>
        Review
      </Button>
      {isOpen && (
        <Suspense>
          <ReviewDialog evaluations={[baseline, candidate]} rows={matched} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
