// The button that creates a review of the filtered rows.
import { ClipboardCheck } from 'lucide'
import { Suspense, useState } from 'react'
import { useCanWrite } from '../../../api/key.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { formatCount } from '../../../format/numbers.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyComponent } from '../../../ui/messages/lazy-component.tsx'
import { rowCount } from '../filters/state-filter.ts'

const ReviewDialog = lazyComponent(async () => (await import('./review-dialog.tsx')).ReviewDialog)

export function ReviewButton({ pageState }: { pageState: EvaluationState }) {
  const mayWrite = useCanWrite()
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  useShortcuts('page', mayWrite ? { r: { label: 'Let people review these rows', run: open } } : {})
  const rows = rowCount(pageState)
  if (!mayWrite || rows === 0) return null
  return (
    <>
      <Button
        variant="plain"
        size="small"
        icon={ClipboardCheck}
        tooltip="Let people review these rows"
        shortcut="r"
        onClick={open}
      >
        Review{rows !== undefined && ` ${formatCount(rows)}`}
      </Button>
      {isOpen && (
        <Suspense>
          <ReviewDialog pageState={pageState} rows={rows} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
