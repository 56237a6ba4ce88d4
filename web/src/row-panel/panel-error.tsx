// An error instead of a row. Its message loads with the first error.
import { Suspense } from 'react'
import { lazyComponent } from '../api/lazy-modules.ts'

const PanelErrorMessage = lazyComponent(
  async () => (await import('./panel-error-message.tsx')).PanelErrorMessage,
)

export function PanelError({ error }: { error: unknown }) {
  return (
    <Suspense>
      <PanelErrorMessage error={error} />
    </Suspense>
  )
}
