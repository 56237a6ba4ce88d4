// The Share menu of a view: copy its link, create a share link, copy its API request, export its rows.
import { Braces, Link2, Share2, SquareTerminal, UserPlus } from 'lucide'
import { type ReactNode, type RefObject, Suspense, useRef, useState } from 'react'
import { useCanShare } from '../api/key.ts'
import { useRestriction } from '../api/restriction.ts'
import { type ApiCall, type Language, snippet } from '../format/api-snippets.ts'
import { SERVICE_URL } from '../state/base-path.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import type { ButtonVariant } from '../ui/button.tsx'
import { copyText } from '../ui/copy-button.tsx'
import { Keys } from '../ui/keys.tsx'
import { Menu, MenuHeading, MenuItem, MenuItems, MenuSeparator } from '../ui/menus/menu.tsx'
import { lazyComponent } from '../ui/messages/lazy-component.tsx'
import type { ShareTarget } from './share-dialog.tsx'

const ShareDialog = lazyComponent(async () => (await import('./share-dialog.tsx')).ShareDialog)

interface ShareMenuProps extends Pick<ShareTarget, 'link'> {
  /** What a share link opens. Undefined if no link can open this view. */
  confined_to: ShareTarget['confined_to'] | undefined
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
  const canShare = useCanShare() && confined_to !== undefined
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

const LANGUAGES: [language: Language, name: string][] = [
  ['python', 'Python'],
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
]

interface ShareItemsProps {
  call: ApiCall
  /** Whether the menu opens at "Copy as". */
  isCopyAsRequested: RefObject<boolean>
  onCopyLink: () => void
  /** Undefined if the key cannot create share links. */
  onShare: (() => void) | undefined
  children: ReactNode
}

/** The items of the Share menu. */
function ShareItems({ call, isCopyAsRequested, onCopyLink, onShare, children }: ShareItemsProps) {
  const copyAs = (language: Language, name: string) =>
    copyText(snippet(language, call, SERVICE_URL), `Copied as ${name}. Set ASSAY_KEY to your key.`)
  function focusIfRequested(item: HTMLButtonElement | null) {
    if (!item || !isCopyAsRequested.current) return
    isCopyAsRequested.current = false
    item.focus({ preventScroll: true })
  }
  return (
    <MenuItems>
      <MenuItem icon={Link2} shortcut="y" onClick={onCopyLink}>
        Copy link
      </MenuItem>
      {onShare && (
        <MenuItem icon={UserPlus} onClick={onShare}>
          Create share link…
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuHeading>
        Copy as <Keys keys={['.']} />
      </MenuHeading>
      {LANGUAGES.map(([language, name], index) => (
        <MenuItem
          key={language}
          ref={index === 0 ? focusIfRequested : null}
          icon={language === 'curl' ? SquareTerminal : Braces}
          onClick={() => copyAs(language, name)}
        >
          {name}
        </MenuItem>
      ))}
      {children}
    </MenuItems>
  )
}
