// What was found out about evaluations that are compared: by which key they are joined, what stands beside each row, and
// what rows are picked and ordered by. Every window of a table asks for it; it is kept as long as their versions stand.
import type { Sides } from './compared-sides.ts'
import type { Connection } from './dialect/dialect.ts'
import { type Join, joinAgain, joinEvaluations, type Pairing } from './joins.ts'
import { Kept } from './kept.ts'
import { KeptTexts } from './kept-texts.ts'

/** A number or more for each of many rows. */
export type Columns = Record<string, Float64Array | Int32Array | Uint8Array>

/** Characters; one takes about 300. */
const JOINS_ROOM = 200_000
/** Characters; one takes some thousands. */
const ANSWERS_ROOM = 4 * 1024 * 1024
/** Bytes; two evaluations of 100,000 rows take about 5 MB. */
const COLUMNS_ROOM = 64 * 1024 * 1024

type KeptJoin = Pick<Join, 'by' | 'tried'> & { pairings: Pairing[] }

export class KeptComparisons {
  /** Comparisons as JSON texts. */
  readonly answers = new KeptTexts(ANSWERS_ROOM)
  readonly columns = new Kept<Columns>(COLUMNS_ROOM, bytesOf)
  readonly #joins = new KeptTexts(JOINS_ROOM)

  /** Throws like joinEvaluations. */
  async join(connection: Connection, sides: Sides, asked: string): Promise<Join> {
    const [base, ...candidates] = sides
    const text = await this.#joins.get(`${versionOf(sides)} ${asked}`, async () => {
      const { by, tried, joined } = await joinEvaluations(connection, base, candidates, asked)
      const pairings = joined.map(({ by, matched, repeats }) => ({ by, matched, repeats }))
      return JSON.stringify({ by, tried, pairings } satisfies KeptJoin)
    })
    const { by, tried, pairings }: KeptJoin = JSON.parse(text)
    const joined: Join['joined'] = []
    for (const [place, candidate] of candidates.entries())
      joined.push(await joinAgain(connection, base, candidate, pairings[place] as Pairing))
    return { by, tried, joined }
  }
}

/** Changes whenever any of the evaluations does. */
export function versionOf(sides: { key: number; version: string }[]): string {
  return sides.map(({ key, version }) => `${key}:${version}`).join('.')
}

function bytesOf(columns: Columns): number {
  return Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, 0)
}
