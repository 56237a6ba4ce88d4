// Buffers lines of several groups in any order, and returns each group sorted. Only a few numbers per line stay in memory.
import { UNLIMITED_SPACE } from '../../disk-budget.ts'
import { FRAME_BYTES, LineBuffer, type Span } from './line-buffer.ts'

const INITIAL_CAPACITY = 1024

export class SortedLineBuffer {
  readonly #lines: LineBuffer
  #count = 0
  /** By line, in order of insertion: its group, its sort key and its start offset. */
  #groups = new Uint32Array(INITIAL_CAPACITY)
  #sortKeys = new Float64Array(INITIAL_CAPACITY)
  #starts = new Float64Array(INITIAL_CAPACITY)
  /** Whether the lines added so far are sorted by group and sort key. */
  #isSorted = true
  /** The sorted line numbers, and the range of each group among them. Computed on the first read. */
  #sortedLines: { numbers: Uint32Array; ranges: Map<number, [start: number, end: number]> } | undefined

  constructor(folder: string, space = UNLIMITED_SPACE) {
    this.#lines = new LineBuffer(folder, space)
  }

  get count(): number {
    return this.#count
  }

  /** Without a sort key, lines keep their order of insertion. Returns a promise only if it has to be awaited. */
  add(line: string, group: number, sortKey = this.#count): Promise<void> | undefined {
    if (this.#count === this.#groups.length) this.#grow()
    const last = this.#count - 1
    if (last >= 0 && this.#compare(last, group, sortKey) > 0) this.#isSorted = false
    this.#groups[this.#count] = group
    this.#sortKeys[this.#count] = sortKey
    this.#starts[this.#count] = this.#lines.length
    this.#count += 1
    return this.#lines.add(line)
  }

  /** Reads one group. Groups can be read in any order. A batch is valid until the next one is read. */
  async *batches(group: number): AsyncGenerator<Buffer[]> {
    const { numbers, ranges } = this.#sort()
    const [start, end] = ranges.get(group) ?? [0, 0]
    // Most uploads are a single group in order and can be read sequentially.
    if (this.#isSorted && end - start === this.#count) return yield* this.#lines.batches()
    for (const spans of this.#spans(numbers.subarray(start, end))) yield this.#lines.read(spans)
  }

  /** Where these lines are, in lists for one frame each. */
  *#spans(numbers: Uint32Array): Generator<Span[]> {
    let spans: Span[] = []
    let bytes = 0
    for (const number of numbers) {
      const isLast = number + 1 === this.#count
      const span: Span = [
        this.#starts[number] as number,
        isLast ? this.#lines.length : (this.#starts[number + 1] as number),
      ]
      bytes += span[1] - span[0]
      spans.push(span)
      if (bytes < FRAME_BYTES) continue
      yield spans
      spans = []
      bytes = 0
    }
    if (spans.length > 0) yield spans
  }

  close(): Promise<void> {
    return this.#lines.close()
  }

  #compare(number: number, group: number, sortKey: number): number {
    return (this.#groups[number] as number) - group || (this.#sortKeys[number] as number) - sortKey
  }

  #sort() {
    if (this.#sortedLines) return this.#sortedLines
    const numbers = Uint32Array.from({ length: this.#count }, (_, number) => number)
    if (!this.#isSorted) {
      const [groups, sortKeys] = [this.#groups, this.#sortKeys]
      numbers.sort((a, b) => this.#compare(a, groups[b] as number, sortKeys[b] as number) || a - b)
    }
    const ranges = new Map<number, [number, number]>()
    for (const [index, number] of numbers.entries()) {
      const group = this.#groups[number] as number
      const range = ranges.get(group)
      if (range) range[1] = index + 1
      else ranges.set(group, [index, index + 1])
    }
    this.#sortedLines = { numbers, ranges }
    return this.#sortedLines
  }

  #grow(): void {
    const capacity = 2 * this.#count
    const [groups, sortKeys, starts] = [this.#groups, this.#sortKeys, this.#starts]
    this.#groups = new Uint32Array(capacity)
    this.#sortKeys = new Float64Array(capacity)
    this.#starts = new Float64Array(capacity)
    this.#groups.set(groups)
    this.#sortKeys.set(sortKeys)
    this.#starts.set(starts)
  }
}
