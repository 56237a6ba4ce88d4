// The button after an import: opens the evaluation, or compares two of them.
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../../../ui/button.tsx'
import { closeImportDialog } from '../dialog-state.ts'
import type { Upload } from '../uploads.ts'

export function NextStep({ uploads }: { uploads: Upload[] }) {
  if (uploads.some(({ state }) => !['done', 'failed', 'canceled'].includes(state))) return null
  // The newest upload is first, but the older evaluation is the baseline.
  const imported = uploads.toReversed().flatMap(({ report }) => (report?.stored ? report.evaluations : []))
  const ids = [...new Set(imported.map(({ id }) => id))]
  const [first] = ids
  const look = { className: buttonClass({ variant: 'primary' }), onClick: closeImportDialog }
  if (ids.length === 2)
    return (
      <p>
        <Link to="/compare" search={{ evaluation: ids }} {...look}>
          Compare 2
        </Link>
      </p>
    )
  if (ids.length !== 1 || first === undefined) return null
  return (
    <p>
      <Link to="/evaluations/$evaluationId" params={{ evaluationId: first }} {...look}>
        Open
      </Link>
    </p>
  )
}
