// Finds the stored scenarios that no record of an imported file has.
import type { Connection } from '../dialect/dialect.ts'
import { inLists } from '../reads/in-list.ts'

/** How many of the missing scenarios are named. */
const MAX_NAMED = 5
const BATCH_SIZE = 1000

export interface MissingScenarios {
  missing: number
  /** The first of them. */
  missing_ids: string[]
}

/** The scenarios that an evaluation had before the import: one bit for each position. */
export class StoredPositions {
  readonly #end: number
  readonly #count: number
  readonly #marked: Uint8Array
  #markedCount = 0

  /** `end` is larger than all positions, `count` is the number of scenarios. */
  constructor({ end, count }: { end: number; count: number }) {
    this.#end = end
    this.#count = count
    this.#marked = new Uint8Array(Math.ceil(end / 8))
  }

  /** The file has a record of the scenario at this position. */
  mark(position: number): void {
    if (position >= this.#end || this.#isMarked(position)) return
    const byte = Math.floor(position / 8)
    this.#marked[byte] = (this.#marked[byte] ?? 0) | (1 << (position % 8))
    this.#markedCount += 1
  }

  /** Undefined if all are in the file, and if none is: such a file only adds scenarios. */
  async findMissing(connection: Connection, evaluation: number): Promise<MissingScenarios | undefined> {
    const missing = this.#count - this.#markedCount
    if (missing === 0 || this.#markedCount === 0) return undefined
    const missing_ids: string[] = []
    const positions: number[] = []
    for (let position = 0; position < this.#end && missing_ids.length < MAX_NAMED; position += 1) {
      if (!this.#isMarked(position)) positions.push(position)
      if (positions.length < BATCH_SIZE && position < this.#end - 1) continue
      // Positions of deleted scenarios are not used again.
      for (const { placeholders, values } of inLists(positions.splice(0), BATCH_SIZE)) {
        const rows = await connection.all<{ id: string }>(FIND_IDS(placeholders), evaluation, ...values)
        missing_ids.push(...rows.map(({ id }) => id))
      }
    }
    return { missing, missing_ids: missing_ids.slice(0, MAX_NAMED) }
  }

  #isMarked(position: number): boolean {
    return ((this.#marked[Math.floor(position / 8)] ?? 0) & (1 << (position % 8))) !== 0
  }
}

const FIND_IDS = (placeholders: string) =>
  `SELECT id FROM scenario WHERE evaluation = ? AND position IN (${placeholders}) ORDER BY position LIMIT ${MAX_NAMED}`
