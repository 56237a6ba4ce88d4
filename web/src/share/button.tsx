// Opens the dialog that makes a link for others, where the key may. What is behind it is loaded when it is first wanted.
import { lazy, Suspense, useState } from 'react'
import type { ViewLink } from '../evaluation/view-link.ts'
import { loadDetailPages } from '../read-ahead.ts'
import type { ConfinedTo } from '../shell/confinement.ts'
import { useMayShare } from '../shell/key.ts'

const ShareDialog = lazy(async () => ({ default: (await loadDetailPages()).ShareDialog }))

export interface Shared {
  confined_to: ConfinedTo
  /** The present view, with all of it written out. */
  link: () => ViewLink
}

export function ShareButton(shared: Shared) {
  const [isOpen, setIsOpen] = useState(false)
  if (!useMayShare()) return null
  return (
    <>
      <button type="button" title="Make a link that others can open" onClick={() => setIsOpen(true)}>
        Share
      </button>
      {isOpen && (
        <Suspense>
          <ShareDialog {...shared} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
