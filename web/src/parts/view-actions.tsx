// What can be done with any view: copy its link, make one for others, copy the API call behind it; by buttons and by keys.
import { useRef } from 'react'
import type { ViewLink } from '../evaluation/view-link.ts'
import type { Call } from '../format/snippets.ts'
import { ShareButton } from '../share/button.tsx'
import { type ConfinedTo, useConfinement } from '../shell/confinement.ts'
import { useShortcuts } from '../shortcuts.ts'
import { CopyAs } from './copy-as.tsx'
import { copyText } from './copy-button.tsx'

interface ViewActionsProps {
  /** To the present view, with all of it written out. */
  link: () => ViewLink
  confined_to: ConfinedTo
  call: Call
  /** Whose keys they are. */
  layer?: 'page' | 'panel'
}

export function ViewActions({ link, confined_to, call, layer = 'page' }: ViewActionsProps) {
  const copyAs = useRef<HTMLDivElement>(null)
  const isShared = useConfinement() !== null
  function copyLink() {
    const { link: text, areColumnsLeftOut } = link()
    const said = ['Link copied.']
    if (areColumnsLeftOut) said.push('It was too long, so it leaves out the columns.')
    if (isShared) said.push('The key is not in it: who opens it needs one.')
    void copyText(text, said.join(' '))
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
        <CopyAs call={call} />
      </div>
    </>
  )
}
