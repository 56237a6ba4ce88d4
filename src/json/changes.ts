// Compares two objects leaf by leaf (scalars and empty containers). Values are compared by value, and returned with
// their original text.
import { setImmediate } from 'node:timers/promises'
import { normalizeDecimal } from './exact-number.ts'
import { JsonNode } from './json-node.ts'
import { countChangedLines, LineBudget, type LineCounts } from './line-counts.ts'
import { matchElements } from './match-elements.ts'

export interface Change {
  /** The path in the new object; for removed values, in the old one. */
  path: string
  /** The path in the old object, if it differs from `path` or the element was moved; otherwise null. */
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
  oldNode?: JsonNode | undefined
  newNode?: JsonNode | undefined
  pathNode: PathNode
}

/** Limit of all listed paths together. Names can be long. */
const MAX_PATH_CHARACTERS = 1_000_000
/** Single-line strings up to this length have no line counts. */
const MAX_SHORT_STRING_LENGTH = 80
/** How long the event loop can be blocked. */
const MAX_BLOCK_MS = 10
/** The clock is checked after this many steps. */
const STEPS_PER_CHECK = 1024

/** Compares two objects and lists the first changes up to the limit. Yields to the event loop regularly. */
export async function compareObjects(oldRoot: JsonNode, newRoot: JsonNode, limit: number): Promise<Changes> {
  const collector = new ChangeCollector(limit)
  const stack = [childPairs({ oldNode: oldRoot, newNode: newRoot, pathNode: ROOT })]
  let lastYield = performance.now()
  for (let step = 1; stack.length > 0; step += 1) {
    const { value: pair, done } = (stack.at(-1) as Generator<Pair>).next()
    if (done) stack.pop()
    else if (shouldTraverse(pair)) stack.push(childPairs(pair))
    else collector.addLeaf(pair)
    if (step % STEPS_PER_CHECK > 0 || performance.now() - lastYield < MAX_BLOCK_MS) continue
    await setImmediate()
    lastYield = performance.now()
  }
  return collector.result

  function* childPairs({ oldNode, newNode, pathNode }: Pair): Generator<Pair> {
    if ((newNode ?? oldNode)?.isObject) return yield* memberPairs({ oldNode, newNode, pathNode })
    for (const element of matchElements(oldNode ?? EMPTY_ARRAY, newNode ?? EMPTY_ARRAY)) {
      const { oldIndex, newIndex, isMoved } = element
      const childPath = { parent: pathNode, oldIndex, newIndex }
      if (isMoved) collector.addMove(childPath)
      yield { oldNode: element.oldNode, newNode: element.newNode, pathNode: childPath }
    }
  }
}

const EMPTY_ARRAY = JsonNode.of('[]')

/** Yields the members in the order of the new object, followed by removed members. */
function* memberPairs({ oldNode, newNode, pathNode }: Pair): Generator<Pair> {
  const removedMembers = new Map(oldNode?.members())
  for (const [name, value] of newNode?.members() ?? []) {
    yield { oldNode: removedMembers.get(name), newNode: value, pathNode: { parent: pathNode, name } }
    removedMembers.delete(name)
  }
  for (const [name, value] of removedMembers) yield { oldNode: value, pathNode: { parent: pathNode, name } }
}

/** Whether the pair is two containers of the same type, or a container in one object only. */
function shouldTraverse({ oldNode, newNode }: Pair): boolean {
  if (!oldNode || !newNode) return (oldNode ?? newNode)?.isLeaf === false
  if (oldNode.isLeaf && newNode.isLeaf) return false
  return (oldNode.isObject && newNode.isObject) || (oldNode.isArray && newNode.isArray)
}

class ChangeCollector {
  readonly result: Changes = { parameter_count: 0, change_count: 0, changes: [] }
  readonly #limit: number
  readonly #lineBudget = new LineBudget()
  #pathCharacters = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  addLeaf({ oldNode, newNode, pathNode }: Pair): void {
    this.result.parameter_count += 1
    if (oldNode && newNode) {
      if (!isSameLeaf(oldNode, newNode)) this.#addChange('changed', pathNode, oldNode, newNode)
    } else this.#addChange(newNode ? 'added' : 'removed', pathNode, oldNode, newNode)
  }

  addMove(pathNode: PathNode): void {
    this.#addChange('moved', pathNode)
  }

  #addChange(kind: Change['kind'], pathNode: PathNode, oldNode?: JsonNode, newNode?: JsonNode): void {
    this.result.change_count += 1
    const { changes } = this.result
    if (changes.length >= this.#limit || this.#pathCharacters > MAX_PATH_CHARACTERS) return
    const path = formatPath(pathNode, kind === 'removed' ? 'oldIndex' : 'newIndex')
    const oldPath = formatPath(pathNode, kind === 'added' ? 'newIndex' : 'oldIndex')
    this.#pathCharacters += path.length
    changes.push({
      path,
      old_path: kind === 'moved' || oldPath !== path ? oldPath : null,
      kind,
      ...(oldNode && { old: oldNode.text }),
      ...(newNode && { new: newNode.text }),
      lines: this.#countLines(oldNode, newNode),
    })
  }

  #countLines(oldNode: JsonNode | undefined, newNode: JsonNode | undefined): LineCounts | null {
    const nodes = [oldNode, newNode].filter((node) => node !== undefined)
    if (nodes.length === 0 || !nodes.every((node) => node.isString)) return null
    const oldText = oldNode ? (JSON.parse(oldNode.text) as string) : ''
    const newText = newNode ? (JSON.parse(newNode.text) as string) : ''
    if (isShortLine(oldText) && isShortLine(newText)) return null
    return countChangedLines(oldText, newText, this.#lineBudget)
  }
}

function isShortLine(text: string): boolean {
  return text.length <= MAX_SHORT_STRING_LENGTH && !text.includes('\n')
}

/** Compares strings after unescaping, and numbers as decimals. */
function isSameLeaf(oldNode: JsonNode, newNode: JsonNode): boolean {
  const [oldText, newText] = [oldNode.text, newNode.text]
  if (oldText === newText) return true
  if (oldNode.isString && newNode.isString) return isSameJsonString(oldText, newText)
  return oldNode.isNumber && newNode.isNumber && normalizeDecimal(oldText) === normalizeDecimal(newText)
}

/** Compares two quoted JSON strings after unescaping. */
export function isSameJsonString(first: string, second: string): boolean {
  if (first === second) return true
  return (first.includes('\\') || second.includes('\\')) && JSON.parse(first) === JSON.parse(second)
}

// Paths in readable form: tools[1].name, headers["x.y"].

/** One step of a path. The root has no parent. The index in a list can differ between the two versions. */
interface PathNode {
  parent?: PathNode
  name?: string
  oldIndex?: number
  newIndex?: number
}

const ROOT: PathNode = {}

/** Names that need no quotes. */
const PLAIN_NAME = /^[A-Za-z_][\w-]*$/

function formatPath(node: PathNode, indexMember: 'oldIndex' | 'newIndex'): string {
  const steps: string[] = []
  for (let step: PathNode | undefined = node; step?.parent; step = step.parent)
    steps.push(formatStep(step, indexMember))
  const path = steps.reverse().join('')
  return path[0] === '.' ? path.slice(1) : path
}

function formatStep({ name, ...indexes }: PathNode, indexMember: 'oldIndex' | 'newIndex'): string {
  if (name === undefined) return `[${indexes[indexMember]}]`
  return PLAIN_NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}
