// Search params of the revision diff. Layout options that the URL does not have come from the browser's preferences.
import { useSearch } from '@tanstack/react-router'
import type { TextLayout } from '../../revisions/parameter-change.tsx'
import { setPreference, usePreference } from '../../state/preferences.ts'
import {
  paramValue,
  type SearchParams,
  stringifySearch,
  useChangeSearchParams,
} from '../../state/search-params.ts'

export interface RevisionDiffParams extends TextLayout {
  /** True if unchanged parameters are shown too. */
  showsUnchanged: boolean
  /** Search params that have no effect. */
  ignored: string[]
  toggleUnchanged: () => void
  toggleWhitespace: () => void
  toggleSplit: () => void
  toggleWrap: () => void
  /** A link with all options, which opens the same view in any browser. */
  link: () => string
}

const ALLOWED_VALUES: Record<string, string[]> = {
  all: ['true', 'false'],
  space: ['ignored', 'kept'],
  diff: ['split', 'unified'],
  wrap: ['on', 'off'],
}

/** Preference names. `diff` alone is the preference of scenario diffs. */
const PREFERENCES = { diff: 'diff.revisions', wrap: 'wrap' }

export function useRevisionDiffParams(): RevisionDiffParams {
  const search: SearchParams = useSearch({ strict: false })
  const changeParams = useChangeSearchParams()
  const preferredValues = { diff: usePreference(PREFERENCES.diff), wrap: usePreference(PREFERENCES.wrap) }
  const validValue = (name: string) => {
    const value = paramValue(search, name)
    return value !== undefined && ALLOWED_VALUES[name]?.includes(value) ? value : undefined
  }
  const showsUnchanged = validValue('all') === 'true'
  const ignoreWhitespace = validValue('space') === 'ignored'
  const diff = (validValue('diff') ?? preferredValues.diff) === 'split' ? 'split' : 'unified'
  const wrap = (validValue('wrap') ?? preferredValues.wrap) === 'off' ? 'off' : 'on'
  const setParams = (values: SearchParams) => changeParams(values, { replace: true })
  function prefer(name: 'diff' | 'wrap', value: string) {
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

function ignoredParams(search: SearchParams): string[] {
  return Object.entries(search).flatMap(([name, value]) => {
    if (!ALLOWED_VALUES[name] || typeof value !== 'string') return [name]
    return ALLOWED_VALUES[name].includes(value) ? [] : [`${name}=${value}`]
  })
}
