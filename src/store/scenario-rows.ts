// A scenario as it goes into the store: the text of its body put together from what was written, and what is
// derived from it. Derived values stand in the order of their columns, ready to be bound.
import { createHash, hash } from 'node:crypto'
import { parseScanned } from '../json/parse.ts'
import type { Place } from '../json/records.ts'
import { NO_LIMITS, scan } from '../json/scan.ts'
import { mintId } from '../schema/ids.ts'
import type { ScenarioWrite } from '../schema/scenarios.ts'
import type { Written } from '../schema/written.ts'
import { inputsOf, measureOf, namesOf, resultsOf, type ScenarioColumns, searchTextOf } from './derived.ts'
import type { Value } from './dialect/dialect.ts'
import { exactInputs } from './row-hashes.ts'
import type { Packing } from './spool.ts'

export interface ScenarioRow {
  /** Where it came from, for whoever is told of a conflict. */
  place: Pick<Place, 'index' | 'line'> | null
  id: string
  /** Texts are strings when they were just made, and UTF-8 when they come from a spool. */
  body: string | Uint8Array
  extra: string | Uint8Array | null
  digest: Uint8Array
  search: string | Uint8Array
  measure: Value[]
  /** Each begins with the name of its evaluator, or of the input. */
  results: Value[][]
  inputs: Value[][]
  names: ScenarioColumns
}

/** Every text goes in as it was written. A scenario without an id gets one. */
export function scenarioRow(
  evaluation_id: string,
  { value, texts }: Written<ScenarioWrite>,
  place: ScenarioRow['place'] = null,
): ScenarioRow {
  const id = value.id ?? mintId()
  const idText = value.id == null ? JSON.stringify(id) : texts.get('id')
  const before = `{"id":${idText},"evaluation_id":${JSON.stringify(evaluation_id)},"inputs":${texts.get('inputs') ?? '[]'},"outputs":${texts.get('outputs') ?? '[]'},"correct_answers":${texts.get('correct_answers') ?? 'null'}`
  const after = `,"results":${texts.get('results') ?? '[]'}}`
  const unmarked = `${before}${marks()}${after}`
  const isMarked = value.is_pinned != null || value.note != null
  const body = isMarked ? `${before}${marks(texts.get('is_pinned'), texts.get('note'))}${after}` : unmarked
  const extra = value.extra == null ? null : (texts.get('extra') ?? null)
  const scenario = { inputs: [], outputs: [], results: [], ...value }
  const exact = { ...scenario, inputs: exactInputs(scenario.inputs, texts.get('inputs')) }
  return {
    place,
    id,
    body,
    extra,
    digest: digestOf(unmarked, extra),
    search: searchTextOf(scenario),
    measure: measureOf(exact),
    results: resultsOf(scenario),
    inputs: inputsOf(exact),
    names: namesOf(scenario),
  }
}

function marks(is_pinned = 'null', note = 'null'): string {
  return `,"is_pinned":${is_pinned},"note":${note}`
}

/** The text of a body with other members in place of some of its own. */
export function changedBody(members: ReadonlyMap<string, string>, changes: Record<string, string>): string {
  const parts = [...members].map(([name, text]) => `"${name}":${changes[name] ?? text}`)
  return `{${parts.join(',')}}`
}

/** The row that a stored scenario would become if it were written now. Throws where its text cannot be read. */
export function storedRow(evaluation_id: string, body: string, extra: string | null): ScenarioRow {
  const scanned = scan(Buffer.from(body), NO_LIMITS)
  const texts = new Map(scanned.members)
  const value = parseScanned(scanned) as ScenarioWrite
  if (extra !== null) {
    texts.set('extra', scan(Buffer.from(extra), NO_LIMITS).text)
    // Only whether there is one matters: nothing is derived from it.
    value.extra = {}
  }
  return scenarioRow(evaluation_id, { value, texts })
}

/** Tells whether a record comes again: of what was first written, without pin and note. */
export function digestOf(unmarkedBody: string, extra: string | null): Uint8Array {
  // Put together, a long text would be copied once more.
  if (unmarkedBody.length < 65536) return hash('sha256', `${unmarkedBody}\n${extra ?? ''}`, 'buffer')
  return createHash('sha256')
    .update(unmarkedBody)
    .update('\n')
    .update(extra ?? '')
    .digest()
}

export const SCENARIO_PACKING: Packing<ScenarioRow> = {
  pack(packer, { place, id, body, extra, digest, search, measure, results, inputs, names }) {
    packer.number(place?.index ?? null)
    packer.number(place?.line ?? null)
    for (const text of [id, body, extra, digest, search]) packer.text(text)
    packer.text(JSON.stringify(names))
    packer.values(measure)
    for (const lists of [results, inputs]) {
      packer.number(lists.length)
      for (const values of lists) packer.values(values)
    }
  },

  unpack(unpacker) {
    const [index, line] = [unpacker.number(), unpacker.number()]
    const lists = () => Array.from({ length: unpacker.number() ?? 0 }, () => unpacker.values())
    return {
      place: index === null || line === null ? null : { index, line },
      id: unpacker.text() ?? '',
      body: unpacker.bytes() ?? '',
      extra: unpacker.bytes(),
      digest: unpacker.bytes() ?? new Uint8Array(),
      search: unpacker.bytes() ?? '',
      names: namesFrom(unpacker.text() ?? ''),
      measure: unpacker.values(),
      results: lists(),
      inputs: lists(),
    }
  },
}

/** Most rows have the names of the row before them. */
let latest: { text: string; names: ScenarioColumns } | undefined

function namesFrom(text: string): ScenarioColumns {
  if (latest?.text !== text) latest = { text, names: JSON.parse(text) as ScenarioColumns }
  return latest.names
}
