// What changed between two objects, leaf by leaf: scalars and empty containers, each at its path. Values are
// compared by what they mean, and handed on as they were written.
import { setImmediate } from 'node:timers/promises'
import { decimalOf } from './decimal.ts'
import { countLines, LineBudget, type LineCounts } from './line-counts.ts'
import { elementPairs } from './matching.ts'
import { Part } from './outline.ts'
import { type Place, pathOf, ROOT } from './places.ts'

export interface Change {
  /** In the new object; of what was removed, in the old one. */
  path: string
  /** In the old object, where that is another one. */
  old_path: string | null
  kind: 'added' | 'removed' | 'changed' | 'moved'
  /** Texts, as they were written; none of an element that moved. */
  old?: string
  new?: string
  /** Of strings with several lines, or long ones. */
  lines: LineCounts | null
}

export interface Changes {
  /** The leaves of both together. */
  parameter_count: number
  change_count: number
  /** The first of them. */
  changes: Change[]
}

/** Two values at one place, or a value on one side alone. */
interface Pair {
  old?: Part | undefined
  now?: Part | undefined
  place: Place
}

/** Names may be long and have much below them: paths are listed up to so many characters together. */
const PATH_CHARACTERS = 1_000_000
/** Shorter strings of one line are seen whole. */
const SHORT = 80
/** How long others are kept waiting, in milliseconds, and how often that is looked at. */
const TURN = 10
const LOOK_EVERY = 1024

/** Of two objects; lists the first changes up to the limit. Lets others have their turn meanwhile. */
export async function compareObjects(old: Part, now: Part, limit: number): Promise<Changes> {
  const comparison = new Comparison(limit)
  const open = [pairsIn({ old, now, place: ROOT })]
  let turn = performance.now()
  for (let step = 1; open.length > 0; step += 1) {
    const { value: pair, done } = (open.at(-1) as Generator<Pair>).next()
    if (done) open.pop()
    else if (isOpen(pair)) open.push(pairsIn(pair))
    else comparison.take(pair)
    if (step % LOOK_EVERY > 0 || performance.now() - turn < TURN) continue
    await setImmediate()
    turn = performance.now()
  }
  return comparison.result

  function* pairsIn({ old, now, place }: Pair): Generator<Pair> {
    if ((now ?? old)?.isObject) return yield* memberPairs({ old, now, place })
    for (const pair of elementPairs(old ?? NOTHING, now ?? NOTHING)) {
      const { oldIndex, newIndex, isMoved } = pair
      const at = { around: place, oldIndex, newIndex }
      if (isMoved) comparison.move(at)
      yield { old: pair.old, now: pair.now, place: at }
    }
  }
}

const NOTHING = Part.of('[]')

/** In the order of the new object; those that are gone follow. */
function* memberPairs({ old, now, place }: Pair): Generator<Pair> {
  const gone = new Map(old?.members())
  for (const [name, value] of now?.members() ?? []) {
    yield { old: gone.get(name), now: value, place: { around: place, name } }
    gone.delete(name)
  }
  for (const [name, value] of gone) yield { old: value, place: { around: place, name } }
}

/** Whether it is told by what is inside: containers of one kind, or one that is on one side alone. */
function isOpen({ old, now }: Pair): boolean {
  if (!old || !now) return (old ?? now)?.isLeaf === false
  if (old.isLeaf && now.isLeaf) return false
  return (old.isObject && now.isObject) || (old.isArray && now.isArray)
}

class Comparison {
  readonly result: Changes = { parameter_count: 0, change_count: 0, changes: [] }
  readonly #limit: number
  readonly #budget = new LineBudget()
  #characters = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  take({ old, now, place }: Pair): void {
    this.result.parameter_count += 1
    if (old && now) {
      if (!isSame(old, now)) this.#add('changed', place, old, now)
    } else this.#add(now ? 'added' : 'removed', place, old, now)
  }

  move(place: Place): void {
    this.#add('moved', place)
  }

  #add(kind: Change['kind'], place: Place, old?: Part, now?: Part): void {
    this.result.change_count += 1
    const { changes } = this.result
    if (changes.length >= this.#limit || this.#characters > PATH_CHARACTERS) return
    const path = pathOf(place, kind === 'removed' ? 'oldIndex' : 'newIndex')
    const oldPath = pathOf(place, kind === 'added' ? 'newIndex' : 'oldIndex')
    this.#characters += path.length
    changes.push({
      path,
      old_path: kind === 'moved' || oldPath !== path ? oldPath : null,
      kind,
      ...(old && { old: old.text }),
      ...(now && { new: now.text }),
      lines: this.#lines(old, now),
    })
  }

  #lines(old: Part | undefined, now: Part | undefined): LineCounts | null {
    const parts = [old, now].filter((part) => part !== undefined)
    if (parts.length === 0 || !parts.every((part) => part.isString)) return null
    const [before, after] = [old, now].map((part) => (part ? (JSON.parse(part.text) as string) : ''))
    const isLong = [before, after].some((text = '') => text.length > SHORT || text.includes('\n'))
    return isLong ? countLines(before as string, after as string, this.#budget) : null
  }
}

/** Strings unescaped, numbers as decimals. */
function isSame(old: Part, now: Part): boolean {
  const [before, after] = [old.text, now.text]
  if (before === after) return true
  if (old.isString && now.isString) return isSameString(before, after)
  return old.isNumber && now.isNumber && decimalOf(before) === decimalOf(after)
}

export function isSameString(before: string, after: string): boolean {
  if (before === after) return true
  return (before.includes('\\') || after.includes('\\')) && JSON.parse(before) === JSON.parse(after)
}
