// A collapsible JSON tree. Values with many members have a search.
import { ArrowDown, ArrowUp } from 'lucide'
import { useDeferredValue, useMemo, useState } from 'react'
import { formatCount } from '../format/numbers.ts'
import { IconButton } from '../ui/button.tsx'
import styles from './json/json.module.css'
import { Member, NO_SEARCH } from './json/member.tsx'
import { hasMembers, type JsonMatches, searchJson, searchPattern } from './json/search.ts'

/** Values with fewer members have no search. */
const MIN_SEARCHED_MEMBERS = 30
/** Matches that are visible without going to them. */
const OPENED_MATCHES = 50

interface JsonTreeProps {
  value: unknown
  /** Where the value is in a larger one, as jq writes it. */
  path?: string
}

export function JsonTree({ value, path = '' }: JsonTreeProps) {
  const isSearchable = useMemo(() => hasMembers(value, MIN_SEARCHED_MEMBERS), [value])
  if (!isSearchable) return <Member value={value} path={path} depth={0} search={NO_SEARCH} />
  return <SearchableTree value={value} path={path} />
}

function SearchableTree({ value, path }: Required<JsonTreeProps>) {
  const [text, setText] = useState('')
  const [position, setPosition] = useState(0)
  const searchedText = useDeferredValue(text)
  const result = useMemo(() => searchJson(value, searchedText), [value, searchedText])
  const { matches } = result
  const search = useMemo(() => {
    const current = matches[position]
    return {
      pattern: searchedText === '' ? undefined : searchPattern(searchedText),
      targets: [...matches.slice(0, OPENED_MATCHES), ...(current ? [current] : [])],
      current,
    }
  }, [matches, position, searchedText])
  function step(offset: 1 | -1) {
    if (matches.length > 0) setPosition((position + offset + matches.length) % matches.length)
  }
  function changeText(next: string) {
    setText(next)
    setPosition(0)
  }
  return (
    <>
      <div className={styles.search}>
        <input
          type="search"
          aria-label="Search in this JSON"
          placeholder="Search names and values"
          spellCheck={false}
          value={text}
          onChange={(event) => changeText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
            else if (event.key === 'Escape' && text !== '') changeText('')
            else return
            event.preventDefault()
          }}
        />
        <span role="status">{searchedText !== '' && describeMatches(result, position)}</span>
        {matches.length > 1 && (
          <>
            <IconButton
              icon={ArrowUp}
              size="small"
              label="Previous match"
              shortcut="Shift+Enter"
              onClick={() => step(-1)}
            />
            <IconButton
              icon={ArrowDown}
              size="small"
              label="Next match"
              shortcut="Enter"
              onClick={() => step(1)}
            />
          </>
        )}
      </div>
      <Member value={value} path={path} depth={0} search={search} />
    </>
  )
}

function describeMatches({ matches, isComplete }: JsonMatches, position: number): string {
  if (matches.length === 0) return isComplete ? 'No match' : 'No match in the first million members'
  const count = `${formatCount(matches.length)} ${matches.length === 1 ? 'match' : 'matches'}`
  return `${formatCount(position + 1)} of ${isComplete ? '' : 'the first '}${count}`
}
