// The Share menu of a view: copy its link, create a share link, copy its API request, export its rows.
import { Share2 } from 'lucide'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { useCanShare } from '../api/key.ts'
import { lazyComponent } from '../api/lazy-modules.ts'
import { useRestriction } from '../api/restriction.ts'
import type { ApiCall } from '../format/api-snippets.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import type { ButtonVariant } from '../ui/button.tsx'
import { copyText } from '../ui/copy-button.tsx'
import { Menu } from '../ui/menus/menu.tsx'
import type { ShareTarget } from './share-dialog.tsx'
import { ShareItems } from './share-items.tsx'

const ShareDialog = lazyComponent(async () => (await import('./share-dialog.tsx')).ShareDialog)

interface ShareMenuProps extends ShareTarget {
  call: ApiCall
  /** The layer of the shortcuts. */
  layer?: 'page' | 'panel'
  variant?: ButtonVariant
  isIconOnly?: boolean
  /** More items, such as those of useExport. */
  children?: ReactNode
}

export function ShareMenu(props: ShareMenuProps) {
  const { link, confined_to, call, layer = 'page', variant, isIconOnly = false, children } = props
  const button = useRef<HTMLButtonElement>(null)
  const isCopyAsRequested = useRef(false)
  const [isSharing, setIsSharing] = useState(false)
  const canShare = useCanShare()
  const isShared = useRestriction() !== null
  function copyLink() {
    const { link: text, areColumnsOmitted } = link()
    const messages = ['Link copied.']
    if (areColumnsOmitted) messages.push('It was too long, so the columns are not included.')
    if (isShared) messages.push('It contains no key, so recipients need their own.')
    void copyText(text, messages.join(' '))
  }
  const share = () => setIsSharing(true)
  function openAtCopyAs() {
    isCopyAsRequested.current = true
    button.current?.focus()
    button.current?.click()
  }
  useShortcuts(
    layer,
    { y: { label: 'Copy link', run: copyLink }, '.': { label: 'Copy as…', run: openAtCopyAs } },
    canShare ? { 'Create share link…': share } : {},
  )
  return (
    <>
      <Menu
        buttonRef={button}
        label={layer === 'panel' ? 'Share row' : 'Share'}
        icon={Share2}
        variant={variant}
        isIconOnly={isIconOnly}
        align="end"
      >
        <ShareItems
          call={call}
          isCopyAsRequested={isCopyAsRequested}
          onCopyLink={copyLink}
          onShare={canShare ? share : undefined}
        >
          {children}
        </ShareItems>
      </Menu>
      {canShare && isSharing && (
        <Suspense>
          <ShareDialog link={link} confined_to={confined_to} onClose={() => setIsSharing(false)} />
        </Suspense>
      )}
    </>
  )
}
