// The search params of the revision diff with their defaults. Layout options that the URL does not have come from the browser's preferences.
import { useSearch } from '@tanstack/react-router'
import type { LayoutPreferences } from '../../content/text-layout.tsx'
import { setPreference, usePreference } from '../../state/preferences.ts'
import { ignoredParams, stringifySearch, useChangeSearchParams } from '../../state/search-params.ts'

const PATH = '/variants/$variantId/revisions/$from/diff/$to'

/** Preference names. `diff` alone is the preference of scenario diffs. */
const PREFERENCES = { diff: 'diff.revisions', wrap: 'wrap' }

export interface RevisionDiffParams extends LayoutPreferences {
  ignoreWhitespace: boolean
  /** True if unchanged parameters are shown too. */
  showsUnchanged: boolean
  /** Search params that have no effect. */
  ignored: string[]
  toggleUnchanged: () => void
  toggleWhitespace: () => void
  /** A link with all options, which opens the same view in any browser. */
  link: () => string
}

export function useRevisionDiffParams(): RevisionDiffParams {
  const search = useSearch({ from: PATH })
  const changeParams = useChangeSearchParams<typeof PATH>()
  const preferredDiff = usePreference(PREFERENCES.diff)
  const preferredWrap = usePreference(PREFERENCES.wrap)
  const showsUnchanged = search.all === 'true'
  const ignoreWhitespace = search.space === 'ignored'
  const diff = (search.diff ?? preferredDiff) === 'split' ? 'split' : 'unified'
  const wrap = (search.wrap ?? preferredWrap) === 'off' ? 'off' : 'on'
  const setParams = (change: typeof search) => changeParams(change, { replace: true })
  function prefer<Name extends 'diff' | 'wrap'>(name: Name, value: NonNullable<(typeof search)[Name]>) {
    setPreference(PREFERENCES[name], value)
    if (search[name] !== undefined) setParams({ [name]: value })
  }
  return {
    showsUnchanged,
    ignoreWhitespace,
    isSplit: diff === 'split',
    isWrapped: wrap === 'on',
    ignored: ignoredParams(search),
    toggleUnchanged: () => setParams({ all: showsUnchanged ? undefined : 'true' }),
    toggleWhitespace: () => setParams({ space: ignoreWhitespace ? undefined : 'ignored' }),
    toggleSplit: () => prefer('diff', diff === 'split' ? 'unified' : 'split'),
    toggleWrap: () => prefer('wrap', wrap === 'on' ? 'off' : 'on'),
    link: () => location.origin + location.pathname + stringifySearch({ ...search, diff, wrap }),
  }
}
