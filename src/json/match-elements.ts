// Matches the elements of two versions of a list: by id, name or role, else by position.
import { decimalOf } from './decimal.ts'
import type { JsonNode } from './json-node.ts'

/** Members that identify an element, in order of preference. */
const KEY_MEMBERS = ['id', 'name', 'role']
/** Limit of members to examine for keys. Larger lists are matched by position. */
const MAX_MEMBERS = 50_000

/** An element that is in one or both versions, with its index in each. */
export interface ElementPair {
  old?: JsonNode | undefined
  now?: JsonNode | undefined
  oldIndex: number
  newIndex: number
  /** Whether its order relative to the other common elements changed. */
  isMoved: boolean
}

/** In the order of the new list, followed by removed elements. */
export function* matchElements(old: JsonNode, now: JsonNode): Generator<ElementPair> {
  const budget = { members: MAX_MEMBERS }
  for (const name of KEY_MEMBERS) {
    const oldElements = elementsByKey(old, name, budget)
    const newElements = oldElements && elementsByKey(now, name, budget)
    if (oldElements && newElements) return yield* pairsByKey(oldElements, newElements)
  }
  yield* pairsByPosition(old, now)
}

/** The elements by key, in order. Undefined if a key is missing or not unique, or if the list is too large. */
function elementsByKey(
  list: JsonNode,
  name: string,
  budget: { members: number },
): Map<string, JsonNode> | undefined {
  const elements = new Map<string, JsonNode>()
  for (const element of list.elements()) {
    const key = element.isObject ? keyOf(element, name, budget) : undefined
    if (key === undefined || elements.has(key)) return undefined
    elements.set(key, element)
  }
  return elements
}

function keyOf(element: JsonNode, wanted: string, budget: { members: number }): string | undefined {
  for (const [name, value] of element.members()) {
    budget.members -= 1
    if (budget.members < 0) return undefined
    if (name !== wanted) continue
    if (value.isString) return `"${JSON.parse(value.text)}`
    return value.isNumber ? decimalOf(value.text) : undefined
  }
  return undefined
}

function* pairsByKey(olds: Map<string, JsonNode>, news: Map<string, JsonNode>): Generator<ElementPair> {
  const oldIndexes = new Map(Array.from(olds.keys(), (key, index) => [key, index]))
  const unmoved = longestIncreasingSubsequence(
    Array.from(news.keys(), (key) => oldIndexes.get(key)).filter((at) => at !== undefined),
  )
  let newIndex = 0
  for (const [key, now] of news) {
    const oldIndex = oldIndexes.get(key)
    const isMoved = oldIndex !== undefined && !unmoved.has(oldIndex)
    yield { old: olds.get(key), now, oldIndex: oldIndex ?? newIndex, newIndex, isMoved }
    newIndex += 1
  }
  for (const [key, old] of olds) {
    const index = oldIndexes.get(key) as number
    if (!news.has(key)) yield { old, oldIndex: index, newIndex: index, isMoved: false }
  }
}

function* pairsByPosition(old: JsonNode, now: JsonNode): Generator<ElementPair> {
  const olds = old.elements()
  const news = now.elements()
  for (let index = 0; ; index += 1) {
    const pair = {
      old: olds.next().value as JsonNode | undefined,
      now: news.next().value as JsonNode | undefined,
    }
    if (!pair.old && !pair.now) return
    yield { ...pair, oldIndex: index, newIndex: index, isMoved: false }
  }
}

/** The largest set of elements that can count as not moved. */
function longestIncreasingSubsequence(numbers: number[]): Set<number> {
  /** For each length, the index of the smallest number that can end such a subsequence. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [index, number] of numbers.entries()) {
    const length = firstAtLeast(ends, numbers, number)
    previous.push(ends[length - 1])
    ends[length] = index
  }
  const subsequence = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = previous[index])
    subsequence.add(numbers[index] as number)
  return subsequence
}

/** The first of the indexes whose number is not less than `number`. */
function firstAtLeast(indexes: number[], numbers: number[], number: number): number {
  let [low, high] = [0, indexes.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[indexes[middle] as number] as number) < number) low = middle + 1
    else high = middle
  }
  return low
}
