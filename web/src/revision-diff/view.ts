// How two revisions are looked at, as the address has it; where it says nothing of the layout, as this browser likes it.
import { useSearch } from '@tanstack/react-router'
import { useChangeSearch } from '../change-search.ts'
import { setPreference, usePreference } from '../preferences.ts'
import type { TextLayout } from '../revision/change.tsx'
import { one, type Search, stringifySearch } from '../search.ts'

export interface View extends TextLayout {
  /** Whether what did not change is shown as well. */
  isWhole: boolean
  /** Parts of the address that mean nothing, and were left out. */
  ignored: string[]
  switchWhole: () => void
  switchSpace: () => void
  switchSplit: () => void
  switchWrap: () => void
  /** To the same page and view, in any browser. */
  link: () => string
}

const WORDS: Record<string, string[]> = {
  all: ['true', 'false'],
  space: ['ignored', 'kept'],
  diff: ['split', 'unified'],
  wrap: ['on', 'off'],
}

/** What this browser likes is kept under the name that it has in the address, but for the diff of scenarios, which is another. */
const PREFERENCES = { diff: 'diff.revisions', wrap: 'wrap' }

export function useView(): View {
  const search: Search = useSearch({ strict: false })
  const change = useChangeSearch()
  const preferred = { diff: usePreference(PREFERENCES.diff), wrap: usePreference(PREFERENCES.wrap) }
  const said = (name: string) => {
    const word = one(search, name)
    return word !== undefined && WORDS[name]?.includes(word) ? word : undefined
  }
  const isWhole = said('all') === 'true'
  const ignoresSpace = said('space') === 'ignored'
  const diff = (said('diff') ?? preferred.diff) === 'split' ? 'split' : 'unified'
  const wrap = (said('wrap') ?? preferred.wrap) === 'off' ? 'off' : 'on'
  const say = (words: Search) => change(words, { replace: true })
  function prefer(name: 'diff' | 'wrap', word: string) {
    setPreference(PREFERENCES[name], word)
    if (search[name] !== undefined) say({ [name]: word })
  }
  return {
    isWhole,
    ignoresSpace,
    isSplit: diff === 'split',
    isWrapped: wrap === 'on',
    ignored: ignoredOf(search),
    switchWhole: () => say({ all: isWhole ? undefined : 'true' }),
    switchSpace: () => say({ space: ignoresSpace ? undefined : 'ignored' }),
    switchSplit: () => prefer('diff', diff === 'split' ? 'unified' : 'split'),
    switchWrap: () => prefer('wrap', wrap === 'on' ? 'off' : 'on'),
    link: () => location.origin + location.pathname + stringifySearch({ ...search, diff, wrap }),
  }
}

function ignoredOf(search: Search): string[] {
  return Object.entries(search).flatMap(([name, value]) => {
    if (!WORDS[name] || typeof value !== 'string') return [name]
    return WORDS[name].includes(value) ? [] : [`${name}=${value}`]
  })
}
