// Finds members of a JSON value by name or scalar value. Large and deep values are searched in limited time.
import { type Members, membersOf, scalarText } from './members.ts'

/** The indexes of members from the whole value to the member. */
export type MemberIndexes = number[]

export interface JsonMatches {
  /** In the order of the members. */
  matches: MemberIndexes[]
  /** False if a limit stopped the search. */
  isComplete: boolean
}

const MAX_MATCHES = 1000
const MAX_MEMBERS = 1_000_000
/** The page cannot show deeper members. */
const MAX_DEPTH = 100

/** Whether the value has at least this many members on all levels. */
export function hasMembers(value: unknown, count: number): boolean {
  let rest = count
  for (const _ of walk(value)) if (--rest <= 0) return true
  return false
}

/** Ignores the case of letters. */
export function searchJson(value: unknown, text: string): JsonMatches {
  const result: JsonMatches = { matches: [], isComplete: true }
  if (text === '') return result
  const pattern = searchPattern(text)
  let rest = MAX_MEMBERS
  for (const { name, member, indexes, isTooDeep } of walk(value)) {
    if (isTooDeep) result.isComplete = false
    if (rest-- === 0 || result.matches.length === MAX_MATCHES) return { ...result, isComplete: false }
    const isMatch =
      (name !== undefined && pattern.test(name)) || (!membersOf(member) && pattern.test(scalarText(member)))
    if (isMatch) result.matches.push(indexes())
  }
  return result
}

export function searchPattern(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu')
}

interface VisitedMember {
  name: string | undefined
  member: unknown
  indexes: () => MemberIndexes
  /** Whether the member has members that are not visited. */
  isTooDeep: boolean
}

/** All members in order, without recursion: the value can be nested deeply. */
function* walk(value: unknown): Generator<VisitedMember> {
  const root = membersOf(value)
  const levels: { members: Members; index: number }[] = root ? [{ members: root, index: -1 }] : []
  const indexes = () => levels.map(({ index }) => index)
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const index = ++level.index
    if (index >= level.members.count) {
      levels.pop()
      continue
    }
    const member = level.members.valueAt(index)
    const members = membersOf(member)
    const isTooDeep = members !== undefined && members.count > 0 && levels.length >= MAX_DEPTH
    yield { name: level.members.nameAt(index), member, indexes, isTooDeep }
    if (members && !isTooDeep) levels.push({ members, index: -1 })
  }
}
