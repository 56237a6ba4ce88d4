// By which key two evaluations are joined and how many rows match: counted once, and kept as long as both versions stand.
// Every window of a table with a base asks for it.
import type { Connection } from './dialect/dialect.ts'
import { type Joined, type JoinedEvaluation, joinEvaluations, type Pairing } from './joins.ts'
import { KeptTexts } from './kept-texts.ts'

/** Characters; one takes about 200. */
const ROOM = 200_000

export class KeptPairings {
  readonly #texts = new KeptTexts(ROOM)

  /** `version` changes whenever the rows of either do. */
  async get(
    connection: Connection,
    base: JoinedEvaluation,
    evaluation: JoinedEvaluation,
    version: string,
  ): Promise<Pairing> {
    const text = await this.#texts.get(version, async () => {
      const { joined } = await joinEvaluations(connection, base, [evaluation], 'auto')
      const [{ by, matched, repeats }] = joined as [Joined]
      return JSON.stringify({ by, matched, repeats })
    })
    return JSON.parse(text)
  }
}
