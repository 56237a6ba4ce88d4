// Buffers rows of several groups in any order, and returns each group sorted. Only a few numbers per row stay in memory.
import { UNLIMITED_SPACE } from '../../disk-budget.ts'
import { FRAME_BYTES, RowBuffer, type RowCodec } from './row-buffer.ts'

const INITIAL_CAPACITY = 1024

export class SortedRowBuffer<Row> {
  readonly #rows: RowBuffer<Row>
  #count = 0
  /** By row, in order of insertion: its group, its sort key and its start offset. */
  #groups = new Uint32Array(INITIAL_CAPACITY)
  #sortKeys = new Float64Array(INITIAL_CAPACITY)
  #starts = new Float64Array(INITIAL_CAPACITY)
  /** Whether the rows added so far are sorted by group and sort key. */
  #isSorted = true
  /** The sorted row numbers, and the range of each group among them. Computed on the first read. */
  #sortedRows: { rows: Uint32Array; ranges: Map<number, [start: number, end: number]> } | undefined

  constructor(folder: string, codec: RowCodec<Row>, space = UNLIMITED_SPACE) {
    this.#rows = new RowBuffer(folder, codec, space)
  }

  get count(): number {
    return this.#count
  }

  /** Whether rows are in a file. */
  get isLarge(): boolean {
    return this.#rows.isLarge
  }

  /** How many rows this many encoded bytes are, about. */
  estimateCount(bytes: number): number {
    return Math.round((this.#count * bytes) / this.#rows.length)
  }

  /** Without a sort key, rows keep their order of insertion. */
  async add(row: Row, group: number, sortKey = this.#count): Promise<void> {
    this.#addPlace(group, sortKey, this.#rows.length)
    await this.#rows.add(row)
  }

  /** Adds rows that were encoded elsewhere, in this order. `rowEnds`: where each row ends. */
  async addFrame(frame: Uint8Array, rowEnds: Uint32Array, group: number): Promise<void> {
    const start = this.#rows.length
    for (const index of rowEnds.keys()) this.#addPlace(group, this.#count, start + (rowEnds[index - 1] ?? 0))
    await this.#rows.addFrame(frame)
  }

  #addPlace(group: number, sortKey: number, start: number): void {
    if (this.#count === this.#groups.length) this.#grow()
    const lastRow = this.#count - 1
    if (lastRow >= 0 && this.#compare(lastRow, group, sortKey) > 0) this.#isSorted = false
    this.#groups[this.#count] = group
    this.#sortKeys[this.#count] = sortKey
    this.#starts[this.#count] = start
    this.#count += 1
  }

  /** Reads one group. Groups can be read in any order. A batch is valid until the second next one is read. */
  async *batches(group: number): AsyncGenerator<Row[]> {
    if (this.#isSequential(group)) return yield* this.#rows.batches()
    for (const spans of this.#spans(group)) yield this.#rows.read(spans)
  }

  /** Like `batches`, encoded. Each frame has a buffer of its own. */
  async *frames(group: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    if (this.#isSequential(group)) return yield* this.#rows.frames()
    for (const spans of this.#spans(group)) yield this.#rows.readFrame(spans)
  }

  /** Most uploads are a single group in order and can be read sequentially. */
  #isSequential(group: number): boolean {
    const [start, end] = this.#sort().ranges.get(group) ?? [0, 0]
    return this.#isSorted && end - start === this.#count
  }

  /** Where the sorted rows of a group are, in lists for one frame each. */
  *#spans(group: number): Generator<[start: number, end: number][]> {
    const { rows, ranges } = this.#sort()
    const [start, end] = ranges.get(group) ?? [0, 0]
    const endOffset = (row: number) =>
      row + 1 < this.#count ? (this.#starts[row + 1] as number) : this.#rows.length
    for (let index = start; index < end; ) {
      const spans: [start: number, end: number][] = []
      for (let bytes = 0; index < end && bytes < FRAME_BYTES; index += 1) {
        const row = rows[index] as number
        const span: [number, number] = [this.#starts[row] as number, endOffset(row)]
        bytes += span[1] - span[0]
        spans.push(span)
      }
      yield spans
    }
  }

  close(): Promise<void> {
    return this.#rows.close()
  }

  #compare(row: number, group: number, sortKey: number): number {
    return (this.#groups[row] as number) - group || (this.#sortKeys[row] as number) - sortKey
  }

  #sort() {
    if (this.#sortedRows) return this.#sortedRows
    const rows = Uint32Array.from({ length: this.#count }, (_, row) => row)
    if (!this.#isSorted) {
      const [groups, sortKeys] = [this.#groups, this.#sortKeys]
      rows.sort((a, b) => this.#compare(a, groups[b] as number, sortKeys[b] as number) || a - b)
    }
    const ranges = new Map<number, [number, number]>()
    for (const [index, row] of rows.entries()) {
      const group = this.#groups[row] as number
      const range = ranges.get(group)
      if (range) range[1] = index + 1
      else ranges.set(group, [index, index + 1])
    }
    this.#sortedRows = { rows, ranges }
    return this.#sortedRows
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
