// Parses a file of scenarios on threads, for importers.
import type { ParseScenarios } from '../import/importer.ts'
import { type ParseOptions, parsePieces } from './parse-pieces.ts'

export function createParseScenarios(options: ParseOptions): ParseScenarios {
  return async function* parseScenarios(chunks, format) {
    for await (const piece of parsePieces(chunks, { records: 'import', ...format }, options)) {
      yield* piece.rejections
      for (const { bytes, rowEnds } of piece.frames) yield { kind: 'rows', bytes, rowEnds }
      if (piece.isBroken) return
    }
  }
}
