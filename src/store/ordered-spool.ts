// Rows that come in an order of their own, and of several groups at once: set aside as they come, and taken out
// group by group, sorted. Of each row only a few numbers are kept in memory.
import { type Packing, Spool } from './spool.ts'

const FIRST_ROOM = 1024
/** Rows are taken out so many bytes at a time. */
const BATCH_BYTES = 128 * 1024

export class OrderedSpool<Row> {
  readonly #rows: Spool<Row>
  #count = 0
  #groups = new Uint32Array(FIRST_ROOM)
  #orders = new Float64Array(FIRST_ROOM)
  #starts = new Float64Array(FIRST_ROOM)
  /** Whether they have come group by group, and in order, so far. */
  #isSorted = true
  /** By group: where its rows begin among those that are sorted. Made when the first is taken out. */
  #sorted: { rows: Uint32Array; begins: Map<number, [number, number]> } | undefined

  constructor(folder: string, packing: Packing<Row>) {
    this.#rows = new Spool(folder, packing)
  }

  get count(): number {
    return this.#count
  }

  /** Without an order it comes behind those that are there. */
  async add(row: Row, group: number, order = this.#count): Promise<void> {
    if (this.#count === this.#groups.length) this.#makeRoom()
    const last = this.#count - 1
    if (last >= 0 && this.#compare(last, group, order) > 0) this.#isSorted = false
    this.#groups[this.#count] = group
    this.#orders[this.#count] = order
    this.#starts[this.#count] = this.#rows.length
    this.#count += 1
    await this.#rows.add(row)
  }

  /** A batch is good until the next but one is asked for. Groups may be asked for in any order. */
  async *batches(group: number): AsyncGenerator<Row[]> {
    const { rows, begins } = this.#sort()
    const [from, to] = begins.get(group) ?? [0, 0]
    // Most files come as they are to be stored, and are read from one end to the other.
    if (this.#isSorted && to - from === this.#count) return yield* this.#rows.batches()
    const end = (row: number) =>
      row + 1 < this.#count ? (this.#starts[row + 1] as number) : this.#rows.length
    for (let at = from; at < to; ) {
      const spans: [start: number, end: number][] = []
      for (let bytes = 0; at < to && bytes < BATCH_BYTES; at += 1) {
        const row = rows[at] as number
        const span: [number, number] = [this.#starts[row] as number, end(row)]
        bytes += span[1] - span[0]
        spans.push(span)
      }
      yield this.#rows.read(spans)
    }
  }

  close(): Promise<void> {
    return this.#rows.close()
  }

  #compare(row: number, group: number, order: number): number {
    return (this.#groups[row] as number) - group || (this.#orders[row] as number) - order
  }

  #sort() {
    if (this.#sorted) return this.#sorted
    const rows = Uint32Array.from({ length: this.#count }, (_, row) => row)
    if (!this.#isSorted) {
      const [groups, orders] = [this.#groups, this.#orders]
      rows.sort((a, b) => this.#compare(a, groups[b] as number, orders[b] as number) || a - b)
    }
    const begins = new Map<number, [number, number]>()
    for (const [at, row] of rows.entries()) {
      const group = this.#groups[row] as number
      const known = begins.get(group)
      if (known) known[1] = at + 1
      else begins.set(group, [at, at + 1])
    }
    this.#sorted = { rows, begins }
    return this.#sorted
  }

  #makeRoom(): void {
    const room = 2 * this.#count
    const [groups, orders, starts] = [this.#groups, this.#orders, this.#starts]
    this.#groups = new Uint32Array(room)
    this.#orders = new Float64Array(room)
    this.#starts = new Float64Array(room)
    this.#groups.set(groups)
    this.#orders.set(orders)
    this.#starts.set(starts)
  }
}
