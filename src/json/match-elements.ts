// Matches the elements of two versions of a list: by id, name or role, else by position.
import { normalizeDecimal } from './exact-number.ts'
import type { JsonNode } from './json-node.ts'

/** Members that identify an element, in order of preference. */
const KEY_MEMBERS = ['id', 'name', 'role']
/** Limit of members to examine for keys. Larger lists are matched by position. */
const MAX_MEMBERS = 50_000

/** An element that is in one or both versions, with its index in each. */
export interface ElementPair {
  oldNode?: JsonNode | undefined
  newNode?: JsonNode | undefined
  oldIndex: number
  newIndex: number
  /** Whether its order relative to the other common elements changed. */
  isMoved: boolean
}

/** Yields the elements in the order of the new list, followed by removed elements. */
export function* matchElements(oldList: JsonNode, newList: JsonNode): Generator<ElementPair> {
  const budget = { members: MAX_MEMBERS }
  for (const name of KEY_MEMBERS) {
    const oldElements = indexByKey(oldList, name, budget)
    const newElements = oldElements && indexByKey(newList, name, budget)
    if (oldElements && newElements) return yield* pairsByKey(oldElements, newElements)
  }
  yield* pairsByPosition(oldList, newList)
}

/** The elements by key, in order. Undefined if a key is missing or not unique, or if the list is too large. */
function indexByKey(
  list: JsonNode,
  name: string,
  budget: { members: number },
): Map<string, JsonNode> | undefined {
  const elements = new Map<string, JsonNode>()
  for (const element of list.elements()) {
    const key = element.isObject ? readKey(element, name, budget) : undefined
    if (key === undefined || elements.has(key)) return undefined
    elements.set(key, element)
  }
  return elements
}

function readKey(element: JsonNode, keyMember: string, budget: { members: number }): string | undefined {
  for (const [name, value] of element.members()) {
    budget.members -= 1
    if (budget.members < 0) return undefined
    if (name !== keyMember) continue
    if (value.isString) return `"${JSON.parse(value.text)}`
    return value.isNumber ? normalizeDecimal(value.text) : undefined
  }
  return undefined
}

function* pairsByKey(
  oldElements: Map<string, JsonNode>,
  newElements: Map<string, JsonNode>,
): Generator<ElementPair> {
  const oldIndexes = new Map(Array.from(oldElements.keys(), (key, index) => [key, index]))
  const unmovedIndexes = longestIncreasingSubsequence(
    Array.from(newElements.keys(), (key) => oldIndexes.get(key)).filter((index) => index !== undefined),
  )
  let newIndex = 0
  for (const [key, newNode] of newElements) {
    const oldIndex = oldIndexes.get(key)
    const isMoved = oldIndex !== undefined && !unmovedIndexes.has(oldIndex)
    yield { oldNode: oldElements.get(key), newNode, oldIndex: oldIndex ?? newIndex, newIndex, isMoved }
    newIndex += 1
  }
  for (const [key, oldNode] of oldElements) {
    const index = oldIndexes.get(key) as number
    if (!newElements.has(key)) yield { oldNode, oldIndex: index, newIndex: index, isMoved: false }
  }
}

function* pairsByPosition(oldList: JsonNode, newList: JsonNode): Generator<ElementPair> {
  const oldElements = oldList.elements()
  const newElements = newList.elements()
  for (let index = 0; ; index += 1) {
    const pair = {
      oldNode: oldElements.next().value as JsonNode | undefined,
      newNode: newElements.next().value as JsonNode | undefined,
    }
    if (!pair.oldNode && !pair.newNode) return
    yield { ...pair, oldIndex: index, newIndex: index, isMoved: false }
  }
}

/** The numbers of the longest increasing subsequence. For old indexes, these are the elements that did not move. */
function longestIncreasingSubsequence(numbers: number[]): Set<number> {
  /** For each length, the index of the smallest number that can end such a subsequence. */
  const ends: number[] = []
  const previousIndexes: (number | undefined)[] = []
  for (const [index, number] of numbers.entries()) {
    const length = findFirstAtLeast(ends, numbers, number)
    previousIndexes.push(ends[length - 1])
    ends[length] = index
  }
  const subsequence = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = previousIndexes[index])
    subsequence.add(numbers[index] as number)
  return subsequence
}

/** The first of the indexes whose number is not less than `number`. */
function findFirstAtLeast(indexes: number[], numbers: number[], number: number): number {
  let [low, high] = [0, indexes.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[indexes[middle] as number] as number) < number) low = middle + 1
    else high = middle
  }
  return low
}
