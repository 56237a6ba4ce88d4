// The items of the Share menu.
import { Braces, Link2, SquareTerminal, UserPlus } from 'lucide'
import type { ReactNode, RefObject } from 'react'
import { lazyModule } from '../api/lazy-modules.ts'
import type { ApiCall, Language } from '../format/api-snippets.ts'
import { SERVICE_URL } from '../state/base-path.ts'
import { copyText } from '../ui/copy-button.tsx'
import { Keys } from '../ui/keys.tsx'
import { MenuHeading, MenuItem, MenuItems, MenuSeparator } from '../ui/menus/menu.tsx'

const loadSnippets = lazyModule(() => import('../format/api-snippets.ts'))

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

export function ShareItems({ call, isCopyAsRequested, onCopyLink, onShare, children }: ShareItemsProps) {
  async function copyAs(language: Language, name: string) {
    const { snippet } = await loadSnippets()
    await copyText(snippet(language, call, SERVICE_URL), `Copied as ${name}. Set ASSAY_KEY to your key.`)
  }
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
