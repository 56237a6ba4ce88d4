// Opens the share dialog. Hidden if the key cannot share; the dialog loads on first use.
import { Suspense, useState } from 'react'
import { useCanShare } from '../api/key.ts'
import { lazyComponent } from '../api/lazy-modules.ts'
import type { ShareTarget } from './share-dialog.tsx'

const ShareDialog = lazyComponent(
  () => import('./share-dialog.tsx'),
  (module) => module.ShareDialog,
)

export function ShareButton(target: ShareTarget) {
  const [isOpen, setIsOpen] = useState(false)
  if (!useCanShare()) return null
  return (
    <>
      <button type="button" title="Create a link for others" onClick={() => setIsOpen(true)}>
        Share
      </button>
      {isOpen && (
        <Suspense>
          <ShareDialog {...target} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
