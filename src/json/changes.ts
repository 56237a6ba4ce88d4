// Compares two objects leaf by leaf (scalars and empty containers). Values are compared by meaning, and returned with
// their original text.
import { setImmediate } from 'node:timers/promises'
import { decimalOf } from './decimal.ts'
import { JsonNode } from './json-node.ts'
import { countLines, LineBudget, type LineCounts } from './line-counts.ts'
import { matchElements } from './match-elements.ts'
import { type PathNode, pathOf, ROOT } from './paths.ts'

export interface Change {
  /** The path in the new object; for removed values, in the old one. */
  path: string
  /** The path in the old object, if it differs. */
  old_path: string | null
  kind: 'added' | 'removed' | 'changed' | 'moved'
  /** The original texts. Absent for a moved element. */
  old?: string
  new?: string
  /** For long or multi-line strings. */
  lines: LineCounts | null
}

export interface Changes {
  /** The number of distinct leaves in both objects. */
  parameter_count: number
  change_count: number
  /** The first changes. */
  changes: Change[]
}

/** Two values at the same path, or a value in one object only. */
interface Pair {
  old?: JsonNode | undefined
  now?: JsonNode | undefined
  node: PathNode
}

/** Limit of all listed paths together, because names can be long. */
const MAX_PATH_CHARACTERS = 1_000_000
/** Shorter single-line strings have no line counts. */
const SHORT_STRING = 80
/** How long the event loop can be blocked, in milliseconds, and after how many steps the clock is checked. */
const MAX_BLOCK_MS = 10
const STEPS_PER_CHECK = 1024

/** Compares two objects and lists the first changes up to the limit. Yields to the event loop regularly. */
export async function compareObjects(old: JsonNode, now: JsonNode, limit: number): Promise<Changes> {
  const comparison = new Comparison(limit)
  const open = [pairsIn({ old, now, node: ROOT })]
  let lastYield = performance.now()
  for (let step = 1; open.length > 0; step += 1) {
    const { value: pair, done } = (open.at(-1) as Generator<Pair>).next()
    if (done) open.pop()
    else if (isTraversed(pair)) open.push(pairsIn(pair))
    else comparison.add(pair)
    if (step % STEPS_PER_CHECK > 0 || performance.now() - lastYield < MAX_BLOCK_MS) continue
    await setImmediate()
    lastYield = performance.now()
  }
  return comparison.result

  function* pairsIn({ old, now, node }: Pair): Generator<Pair> {
    if ((now ?? old)?.isObject) return yield* memberPairs({ old, now, node })
    for (const pair of matchElements(old ?? EMPTY_ARRAY, now ?? EMPTY_ARRAY)) {
      const { oldIndex, newIndex, isMoved } = pair
      const child = { parent: node, oldIndex, newIndex }
      if (isMoved) comparison.move(child)
      yield { old: pair.old, now: pair.now, node: child }
    }
  }
}

const EMPTY_ARRAY = JsonNode.of('[]')

/** In the order of the new object, followed by removed members. */
function* memberPairs({ old, now, node }: Pair): Generator<Pair> {
  const removed = new Map(old?.members())
  for (const [name, value] of now?.members() ?? []) {
    yield { old: removed.get(name), now: value, node: { parent: node, name } }
    removed.delete(name)
  }
  for (const [name, value] of removed) yield { old: value, node: { parent: node, name } }
}

/** Whether to compare the children: containers of the same type, or a container in one object only. */
function isTraversed({ old, now }: Pair): boolean {
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

  add({ old, now, node }: Pair): void {
    this.result.parameter_count += 1
    if (old && now) {
      if (!isSame(old, now)) this.#add('changed', node, old, now)
    } else this.#add(now ? 'added' : 'removed', node, old, now)
  }

  move(node: PathNode): void {
    this.#add('moved', node)
  }

  #add(kind: Change['kind'], node: PathNode, old?: JsonNode, now?: JsonNode): void {
    this.result.change_count += 1
    const { changes } = this.result
    if (changes.length >= this.#limit || this.#characters > MAX_PATH_CHARACTERS) return
    const path = pathOf(node, kind === 'removed' ? 'oldIndex' : 'newIndex')
    const oldPath = pathOf(node, kind === 'added' ? 'newIndex' : 'oldIndex')
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

  #lines(old: JsonNode | undefined, now: JsonNode | undefined): LineCounts | null {
    const parts = [old, now].filter((part) => part !== undefined)
    if (parts.length === 0 || !parts.every((part) => part.isString)) return null
    const [before, after] = [old, now].map((part) => (part ? (JSON.parse(part.text) as string) : ''))
    const isLong = [before, after].some((text = '') => text.length > SHORT_STRING || text.includes('\n'))
    return isLong ? countLines(before as string, after as string, this.#budget) : null
  }
}

/** Compares strings without escapes, and numbers as decimals. */
function isSame(old: JsonNode, now: JsonNode): boolean {
  const [before, after] = [old.text, now.text]
  if (before === after) return true
  if (old.isString && now.isString) return isSameString(before, after)
  return old.isNumber && now.isNumber && decimalOf(before) === decimalOf(after)
}

export function isSameString(before: string, after: string): boolean {
  if (before === after) return true
  return (before.includes('\\') || after.includes('\\')) && JSON.parse(before) === JSON.parse(after)
}
