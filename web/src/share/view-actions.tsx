// Actions of every view: copy its link, share it, copy its API request. Buttons and shortcuts.
import { useRef } from 'react'
import { type Restriction, useRestriction } from '../api/restriction.ts'
import type { ApiCall } from '../format/api-snippets.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { copyText } from '../ui/copy-button.tsx'
import { CopyAsMenu } from './copy-as-menu.tsx'
import { ShareButton } from './share-button.tsx'
import type { ViewLink } from './view-link.ts'

interface ViewActionsProps {
  /** The URL of the current view, with preferences written out as search params. */
  link: () => ViewLink
  confined_to: Restriction
  call: ApiCall
  /** The layer of the shortcuts. */
  layer?: 'page' | 'panel'
}

export function ViewActions({ link, confined_to, call, layer = 'page' }: ViewActionsProps) {
  const copyAs = useRef<HTMLDivElement>(null)
  const isShared = useRestriction() !== null
  function copyLink() {
    const { link: text, areColumnsOmitted } = link()
    const messages = ['Link copied.']
    if (areColumnsOmitted) messages.push('It was too long, so the columns are not included.')
    if (isShared) messages.push('It contains no key, so recipients need their own.')
    void copyText(text, messages.join(' '))
  }
  useShortcuts(layer, {
    y: copyLink,
    '.': () => {
      const button = copyAs.current?.querySelector('button')
      button?.focus()
      button?.click()
    },
  })
  return (
    <>
      <button type="button" title="Copy a link to this view (y)" onClick={copyLink}>
        Copy link
      </button>
      <ShareButton confined_to={confined_to} link={link} />
      <div ref={copyAs}>
        <CopyAsMenu call={call} />
      </div>
    </>
  )
}
