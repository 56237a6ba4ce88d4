// Actions of every view: copy its link, share it, copy its API request. Buttons and shortcuts.
import { Suspense, useRef, useState } from 'react'
import { useCanShare } from '../api/key.ts'
import { lazyComponent, lazyModule } from '../api/lazy-modules.ts'
import { useRestriction } from '../api/restriction.ts'
import type { ApiCall, Language } from '../format/api-snippets.ts'
import { SERVICE_URL } from '../state/base-path.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { copyText } from '../ui/copy-button.tsx'
import { Menu } from '../ui/menu.tsx'
import type { ShareTarget } from './share-dialog.tsx'

const ShareDialog = lazyComponent(async () => (await import('./share-dialog.tsx')).ShareDialog)

const loadSnippets = lazyModule(() => import('../format/api-snippets.ts'))

const LANGUAGES: [language: Language, name: string][] = [
  ['curl', 'curl'],
  ['python', 'Python'],
  ['typescript', 'TypeScript'],
]

interface ViewActionsProps extends ShareTarget {
  call: ApiCall
  /** The layer of the shortcuts. */
  layer?: 'page' | 'panel'
}

export function ViewActions({ link, confined_to, call, layer = 'page' }: ViewActionsProps) {
  const copyAsMenu = useRef<HTMLDivElement>(null)
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
  async function copyAs(language: Language, name: string) {
    const { snippet } = await loadSnippets()
    await copyText(snippet(language, call, SERVICE_URL), `Copied as ${name}. Set ASSAY_KEY to your key.`)
  }
  useShortcuts(layer, {
    y: copyLink,
    '.': () => {
      const button = copyAsMenu.current?.querySelector('button')
      button?.focus()
      button?.click()
    },
  })
  return (
    <>
      <button type="button" title="Copy a link to this view (y)" onClick={copyLink}>
        Copy link
      </button>
      {canShare && (
        <button type="button" title="Create a link for others" onClick={() => setIsSharing(true)}>
          Share
        </button>
      )}
      {canShare && isSharing && (
        <Suspense>
          <ShareDialog link={link} confined_to={confined_to} onClose={() => setIsSharing(false)} />
        </Suspense>
      )}
      <div ref={copyAsMenu}>
        <Menu label="Copy as" title="Copy the API request of this view (.)">
          <div className="options">
            {LANGUAGES.map(([language, name]) => (
              <button key={language} type="button" className="plain" onClick={() => copyAs(language, name)}>
                {name}
              </button>
            ))}
          </div>
        </Menu>
      </div>
    </>
  )
}
