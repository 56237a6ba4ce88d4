// The bodies at some positions of an evaluation, one at a time: of a window of rows, which may be megabytes each.
import type { Connection } from './dialect/dialect.ts'
import { readChosen } from './elements.ts'
import { SCENARIOS } from './scenarios.ts'

/** In the order of the positions, each of which has a scenario. */
export async function* readBodies(
  connection: Connection,
  evaluation: number,
  positions: Float64Array,
): AsyncGenerator<{ position: number; body: string }> {
  let index = 0
  for await (const piece of readChosen(connection, SCENARIOS, evaluation, positions, '\n')) {
    for (const body of Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString().split('\n')) {
      yield { position: positions[index] ?? 0, body }
      index += 1
    }
  }
}
