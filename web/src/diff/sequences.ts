// Aligns two lists of texts in limited time. Large lists are first divided at passages that both contain.
// The index of the package would add comparisons of words, JSON and CSS to the script.
import { diffArrays } from 'diff/lib/diff/array.js'

/** Ranges of both lists, from start to before end: equal items, or items that replace each other. */
export interface Run {
  isCommon: boolean
  oldStart: number
  oldEnd: number
  newStart: number
  newEnd: number
}

interface Alignment {
  runs: Run[]
  /** False if the time limit stopped the comparison of some items. Those are in runs that are not common. */
  isComplete: boolean
}

/** Lists of this many items in both are compared without dividing them. */
const SMALL_LIST = 600
/** Numbers of consecutive items that can divide the lists, the safest first. */
const PASSAGE_LENGTHS = [12, 4, 1]

export function alignSequences(oldItems: string[], newItems: string[], timeoutMs: number): Alignment {
  const deadline = performance.now() + timeoutMs
  const numbers = new Map<string, number>()
  const numberOf = (item: string) => {
    const number = numbers.get(item) ?? numbers.size
    numbers.set(item, number)
    return number
  }
  const [oldIds, newIds] = [oldItems.map(numberOf), newItems.map(numberOf)]
  const runs: Run[] = []
  let isComplete = true

  function push(isCommon: boolean, oldStart: number, oldEnd: number, newStart: number, newEnd: number) {
    if (oldStart === oldEnd && newStart === newEnd) return
    const lastRun = runs.at(-1)
    if (lastRun?.isCommon === isCommon) {
      lastRun.oldEnd = oldEnd
      lastRun.newEnd = newEnd
    } else runs.push({ isCommon, oldStart, oldEnd, newStart, newEnd })
  }

  function align(oldStart: number, oldEnd: number, newStart: number, newEnd: number, level: number) {
    let [oldFrom, newFrom, oldTo, newTo] = [oldStart, newStart, oldEnd, newEnd]
    while (oldFrom < oldTo && newFrom < newTo && oldIds[oldFrom] === newIds[newFrom]) {
      oldFrom++
      newFrom++
    }
    while (oldFrom < oldTo && newFrom < newTo && oldIds[oldTo - 1] === newIds[newTo - 1]) {
      oldTo--
      newTo--
    }
    push(true, oldStart, oldFrom, newStart, newFrom)
    const count = oldTo - oldFrom + newTo - newFrom
    // Two items that are left differ from each other.
    if (oldFrom === oldTo || newFrom === newTo || count === 2) push(false, oldFrom, oldTo, newFrom, newTo)
    else if (count <= SMALL_LIST || level === PASSAGE_LENGTHS.length) {
      compare(oldFrom, oldTo, newFrom, newTo)
    } else divide(oldFrom, oldTo, newFrom, newTo, level)
    push(true, oldTo, oldEnd, newTo, newEnd)
  }

  function divide(oldStart: number, oldEnd: number, newStart: number, newEnd: number, level: number) {
    const length = PASSAGE_LENGTHS[level] ?? 1
    let [oldFrom, newFrom] = [oldStart, newStart]
    const [oldPart, newPart] = [oldIds.slice(oldStart, oldEnd), newIds.slice(newStart, newEnd)]
    for (const [oldOffset, newOffset] of commonPassages(oldPart, newPart, length)) {
      const [oldIndex, newIndex] = [oldStart + oldOffset, newStart + newOffset]
      // Passages overlap.
      if (oldIndex < oldFrom || newIndex < newFrom) continue
      align(oldFrom, oldIndex, newFrom, newIndex, level + 1)
      push(true, oldIndex, oldIndex + length, newIndex, newIndex + length)
      oldFrom = oldIndex + length
      newFrom = newIndex + length
    }
    align(oldFrom, oldEnd, newFrom, newEnd, level + 1)
  }

  function compare(oldStart: number, oldEnd: number, newStart: number, newEnd: number) {
    const timeout = deadline - performance.now()
    const changes =
      timeout > 0
        ? diffArrays(oldIds.slice(oldStart, oldEnd), newIds.slice(newStart, newEnd), { timeout })
        : undefined
    if (!changes) {
      isComplete = false
      push(false, oldStart, oldEnd, newStart, newEnd)
      return
    }
    let [oldFrom, newFrom] = [oldStart, newStart]
    for (const { added, removed, count } of changes) {
      const [oldTo, newTo] = [oldFrom + (added ? 0 : count), newFrom + (removed ? 0 : count)]
      push(!added && !removed, oldFrom, oldTo, newFrom, newTo)
      oldFrom = oldTo
      newFrom = newTo
    }
  }

  align(0, oldIds.length, 0, newIds.length, 0)
  for (const [index, run] of runs.entries()) slideDown(run, runs[index - 1], runs[index + 1])
  return { runs, isComplete }

  /** Moves inserted or removed items down if they start with the items that follow: a section with its heading, for example. */
  function slideDown(run: Run, previous: Run | undefined, next: Run | undefined) {
    const isInsertion = run.oldStart === run.oldEnd
    if (run.isCommon || !previous || !next || !(isInsertion || run.newStart === run.newEnd)) return
    const first = () => (isInsertion ? newIds[run.newStart] : oldIds[run.oldStart])
    while (next.oldEnd - next.oldStart > 1 && first() === oldIds[next.oldStart]) {
      for (const position of ['oldStart', 'newStart', 'oldEnd', 'newEnd'] as const) run[position]++
      previous.oldEnd++
      previous.newEnd++
      next.oldStart++
      next.newStart++
    }
  }
}

/** Positions of passages of `length` items that occur equally often in both lists, in the order of both. */
function commonPassages(oldIds: number[], newIds: number[], length: number): [number, number][] {
  const newPassages = passagesOf(newIds, length)
  const pairs: [number, number][] = []
  for (const [hash, oldIndexes] of passagesOf(oldIds, length)) {
    const newIndexes = newPassages.get(hash)
    if (newIndexes?.length !== oldIndexes.length) continue
    for (const [occurrence, oldIndex] of oldIndexes.entries()) {
      const newIndex = newIndexes[occurrence] ?? 0
      let offset = 0
      // Different passages can have the same hash.
      while (offset < length && oldIds[oldIndex + offset] === newIds[newIndex + offset]) offset++
      if (offset === length) pairs.push([oldIndex, newIndex])
    }
  }
  return longestIncreasing(pairs.sort(([a], [b]) => a - b))
}

/** The positions of each passage by its hash. */
function passagesOf(ids: number[], length: number): Map<number, number[]> {
  const passages = new Map<number, number[]>()
  for (let index = 0; index + length <= ids.length; index++) {
    let hash = 0
    for (let offset = 0; offset < length; offset++) {
      hash = (Math.imul(hash, 0x01000193) + (ids[index + offset] ?? 0) + 1) | 0
    }
    const indexes = passages.get(hash)
    if (indexes) indexes.push(index)
    else passages.set(hash, [index])
  }
  return passages
}

/** The longest part of the pairs whose second numbers increase (patience sorting). */
function longestIncreasing(pairs: [number, number][]): [number, number][] {
  /** The indexes of the pairs that end the best parts of length 1, 2, … */
  const ends: number[] = []
  const previous: number[] = []
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1
      else high = middle
    }
    previous.push(low > 0 ? (ends[low - 1] ?? -1) : -1)
    ends[low] = index
  }
  const result: [number, number][] = []
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index]
    if (pair) result.push(pair)
  }
  return result.reverse()
}
