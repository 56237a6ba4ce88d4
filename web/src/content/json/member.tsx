// A member of a JSON tree with everything below it. Collapsed branches and long lists are rendered on demand.
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { formatBytes, pluralize } from '../../format/numbers.ts'
import { copyText } from '../../ui/copy-button.tsx'
import { TextChunks } from '../plain-text.tsx'
import styles from './json.module.css'
import { type Members, memberPath, membersOf, scalarText } from './members.ts'
import type { MemberIndexes } from './search.ts'

/** Number of members shown until the user clicks "Show more". */
const INITIAL_MEMBERS = 100
const INITIAL_OPEN_DEPTH = 2
/** Members shown before and after a match in a long list. */
const CONTEXT_MEMBERS = 2
/** Longer texts are cut until the user asks for the rest, and matches in them are not marked. */
const MAX_LENGTH = 4000

/** Matches of a search at or below a member. */
interface MemberSearch {
  pattern: RegExp | undefined
  /** Where to open the tree. Paths start at the member. */
  targets: MemberIndexes[]
  /** The match that the user is at. */
  current: MemberIndexes | undefined
}

export const NO_SEARCH: MemberSearch = { pattern: undefined, targets: [], current: undefined }

interface MemberProps {
  value: unknown
  name?: string | undefined
  /** As jq writes it, empty for the whole value. */
  path: string
  depth: number
  search: MemberSearch
}

export function Member({ value, name, path, depth, search }: MemberProps) {
  const element = useRef<HTMLDivElement>(null)
  const isCurrent = search.current?.length === 0
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const members = useMemo(() => membersOf(value), [value])
  const { pattern } = search
  const label = name !== undefined && (
    <>
      <span className={styles.name}>{marked(JSON.stringify(name), pattern)}</span>:{' '}
    </>
  )
  return (
    <div ref={element} className={styles.member} aria-current={isCurrent ? 'location' : undefined}>
      {path !== '' && <CopyButtons value={value} path={path} />}
      {members && members.count > 0 ? (
        <Branch label={label} members={members} path={path} depth={depth} search={search} />
      ) : (
        <div className={styles.leaf}>
          {label}
          {members ? members.isArray ? '[]' : '{}' : <Scalar value={value} pattern={pattern} />}
        </div>
      )}
    </div>
  )
}

function Scalar({ value, pattern }: { value: unknown; pattern: RegExp | undefined }) {
  const [isExpanded, setIsExpanded] = useState(false)
  const text = JSON.stringify(value)
  const isLong = text.length > MAX_LENGTH
  return (
    <span className={typeof value === 'string' ? styles.string : styles.scalar}>
      {!isLong && marked(text, pattern)}
      {isLong && (isExpanded ? <TextChunks text={text} isWrapped /> : `${text.slice(0, MAX_LENGTH)}… `)}
      {isLong && !isExpanded && (
        <button type="button" onClick={() => setIsExpanded(true)}>
          Show the rest ({formatBytes(text.length - MAX_LENGTH)})
        </button>
      )}
    </span>
  )
}

function marked(text: string, pattern: RegExp | undefined): ReactNode {
  const match = pattern?.exec(text)
  if (!match) return text
  const end = match.index + match[0].length
  return (
    <>
      {text.slice(0, match.index)}
      <mark>{match[0]}</mark>
      {text.slice(end)}
    </>
  )
}

interface BranchProps extends Pick<MemberProps, 'path' | 'depth' | 'search'> {
  label: ReactNode
  members: Members
}

function Branch({ label, members, path, depth, search }: BranchProps) {
  const { count, isArray } = members
  const { targets, current } = search
  const hasTargets = targets.some(({ length }) => length > 0)
  const [isOpen, setIsOpen] = useState(depth < INITIAL_OPEN_DEPTH || hasTargets)
  const [visibleCount, setVisibleCount] = useState(INITIAL_MEMBERS)
  const [lastTargets, setLastTargets] = useState(targets)
  if (targets !== lastTargets) {
    setLastTargets(targets)
    if (hasTargets) setIsOpen(true)
  }
  const targetsByMember = useMemo(() => groupTargets(targets), [targets])
  const noun = isArray ? 'element' : 'member'
  const renderMember = (index: number) => (
    <Member
      key={index}
      value={members.valueAt(index)}
      name={members.nameAt(index)}
      path={memberPath(path, members.nameAt(index), index)}
      depth={depth + 1}
      search={{
        pattern: search.pattern,
        targets: targetsByMember.get(index) ?? NO_SEARCH.targets,
        current: current?.[0] === index ? current.slice(1) : undefined,
      }}
    />
  )
  const laterMembers = isOpen ? membersNear([...targetsByMember.keys()], visibleCount, count) : []
  return (
    <details
      className={styles.branch}
      open={isOpen}
      // Ignore toggle events of nested branches.
      onToggle={(event) => event.target === event.currentTarget && setIsOpen(event.currentTarget.open)}
    >
      <summary>
        {label}
        {isArray ? '[' : '{'}
        {!isOpen && (
          <span className={styles.count}>
            {pluralize(count, noun)} {isArray ? ']' : '}'}
          </span>
        )}
      </summary>
      {isOpen && (
        <>
          {Array.from({ length: Math.min(visibleCount, count) }, (_, index) => renderMember(index))}
          {count > visibleCount && (
            <button
              type="button"
              className={styles.more}
              onClick={() => setVisibleCount(visibleCount + 10 * INITIAL_MEMBERS)}
            >
              Show more ({pluralize(count - visibleCount, noun)} left)
            </button>
          )}
          {laterMembers.map((index, position) => (
            <div key={index}>
              {laterMembers[position - 1] !== index - 1 && <div className={styles.count}>…</div>}
              {renderMember(index)}
            </div>
          ))}
          <div>{isArray ? ']' : '}'}</div>
        </>
      )}
    </details>
  )
}

/** The targets at or below each member, by its index. */
function groupTargets(targets: MemberIndexes[]): Map<number, MemberIndexes[]> {
  const groups = Map.groupBy(
    targets.filter(({ length }) => length > 0),
    ([index = 0]) => index,
  )
  return new Map([...groups].map(([index, group]) => [index, group.map((target) => target.slice(1))]))
}

/** Members of a long list that are near a match and not visible otherwise. */
function membersNear(matches: number[], visibleCount: number, count: number): number[] {
  const indexes = matches
    .filter((index) => index >= visibleCount)
    .flatMap((index) =>
      Array.from({ length: 2 * CONTEXT_MEMBERS + 1 }, (_, offset) => index + offset - CONTEXT_MEMBERS),
    )
  return [...new Set(indexes)].filter((index) => index >= visibleCount && index < count).sort((a, b) => a - b)
}

function CopyButtons({ value, path }: { value: unknown; path: string }) {
  return (
    <span className={styles.copy}>
      <button
        type="button"
        aria-label={`Copy path ${path}`}
        data-tooltip={`Copies ${path}, as jq writes it`}
        onClick={() => copyText(path, `Copied ${path}`)}
      >
        Copy path
      </button>
      <button
        type="button"
        aria-label={`Copy value of ${path}`}
        onClick={() => copyText(membersOf(value) ? JSON.stringify(value, null, 2) : scalarText(value))}
      >
        Copy value
      </button>
    </span>
  )
}
