// Which element of a list became which: by what names them, or else by position.
import { decimalOf } from './decimal.ts'
import type { Part } from './outline.ts'

/** What names an element among its like, best first. */
const NAMING = ['id', 'name', 'role']
/** Larger lists are data rather than something that people put in order: so many members are looked at for names. */
const MOST_MEMBERS = 50_000

/** An element on one side or on both, and where it is there. */
export interface ElementPair {
  old?: Part | undefined
  now?: Part | undefined
  oldIndex: number
  newIndex: number
  /** Whether its order among those on both sides changed. */
  isMoved: boolean
}

/** In the order of the new list; those that are gone follow. */
export function* elementPairs(old: Part, now: Part): Generator<ElementPair> {
  const budget = { members: MOST_MEMBERS }
  for (const name of NAMING) {
    const oldNames = namesBy(old, name, budget)
    const newNames = oldNames && namesBy(now, name, budget)
    if (oldNames && newNames) return yield* pairsByName(oldNames, newNames)
  }
  yield* pairsByPosition(old, now)
}

/** The elements by their names, in order; undefined where one has none, or one that another has, or they are many. */
function namesBy(list: Part, name: string, budget: { members: number }): Map<string, Part> | undefined {
  const named = new Map<string, Part>()
  for (const element of list.elements()) {
    const key = element.isObject ? keyOf(element, name, budget) : undefined
    if (key === undefined || named.has(key)) return undefined
    named.set(key, element)
  }
  return named
}

function keyOf(element: Part, wanted: string, budget: { members: number }): string | undefined {
  for (const [name, value] of element.members()) {
    budget.members -= 1
    if (budget.members < 0) return undefined
    if (name !== wanted) continue
    if (value.isString) return `"${JSON.parse(value.text)}`
    return value.isNumber ? decimalOf(value.text) : undefined
  }
  return undefined
}

function* pairsByName(olds: Map<string, Part>, news: Map<string, Part>): Generator<ElementPair> {
  const oldIndexes = new Map(Array.from(olds.keys(), (key, index) => [key, index]))
  const stayed = inOrder(
    Array.from(news.keys(), (key) => oldIndexes.get(key)).filter((at) => at !== undefined),
  )
  let newIndex = 0
  for (const [key, now] of news) {
    const oldIndex = oldIndexes.get(key)
    const isMoved = oldIndex !== undefined && !stayed.has(oldIndex)
    yield { old: olds.get(key), now, oldIndex: oldIndex ?? newIndex, newIndex, isMoved }
    newIndex += 1
  }
  for (const [key, old] of olds) {
    const index = oldIndexes.get(key) as number
    if (!news.has(key)) yield { old, oldIndex: index, newIndex: index, isMoved: false }
  }
}

function* pairsByPosition(old: Part, now: Part): Generator<ElementPair> {
  const olds = old.elements()
  const news = now.elements()
  for (let index = 0; ; index += 1) {
    const pair = { old: olds.next().value as Part | undefined, now: news.next().value as Part | undefined }
    if (!pair.old && !pair.now) return
    yield { ...pair, oldIndex: index, newIndex: index, isMoved: false }
  }
}

/** The most that can be said to have stayed: a longest ascending run of distinct numbers, as a set. */
function inOrder(numbers: number[]): Set<number> {
  /** At each length the place of the smallest number that such a run can end with. */
  const ends: number[] = []
  const before: (number | undefined)[] = []
  for (const [place, number] of numbers.entries()) {
    const length = firstAtLeast(ends, numbers, number)
    before.push(ends[length - 1])
    ends[length] = place
  }
  const run = new Set<number>()
  for (let place = ends.at(-1); place !== undefined; place = before[place]) run.add(numbers[place] as number)
  return run
}

/** The first of the places whose number is not below the one given. */
function firstAtLeast(places: number[], numbers: number[], number: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[places[middle] as number] as number) < number) low = middle + 1
    else high = middle
  }
  return low
}
