// Experiments of Phoenix, as GET /v1/experiments/{id}/json gives them: one record for each run of an example.
import { Json } from '../json/value.ts'
import type { Found } from '../schema/findings.ts'
import { Draft } from './draft.ts'
import { foreignLimits, runFindings, scenarioFindings, stemOf, UniqueIds } from './foreign.ts'
import type { Importer, ImportOptions } from './importer.ts'
import { objectOf, readRecords, refuse } from './reading.ts'
import type { Source } from './source.ts'

const TELLING = ['repetition_number', 'reference_output', 'annotations']
const USED = new Set([
  'example_id',
  'repetition_number',
  'input',
  'reference_output',
  'output',
  'error',
  'latency_ms',
  'annotations',
])
const OF_RESULT = new Set(['name', 'score', 'error', 'explanation'])

export const phoenix: Importer = {
  name: 'phoenix',
  reads: 'experiments of Phoenix as JSON, with example_id and annotations',

  claims({ opening }) {
    if (!opening?.names.includes('example_id')) return false
    return TELLING.some((name) => opening.names.includes(name))
  },

  async open(source, options) {
    const begun = await firstStart(source, options)
    const created_at = begun ?? source.modified?.toISOString()
    return { created_at, findings: () => readRuns(source, options, created_at) }
  },
}

/** Which run came first: they stand in the order of their examples. */
async function firstStart(source: Source, options: ImportOptions): Promise<string | undefined> {
  let first: number | undefined
  for await (const record of readRecords(source, pythonic(options))) {
    if ('kind' in record || !record.scanned) continue
    const start = Date.parse(new Json(record.scanned.text).get('start_time')?.string ?? '')
    if (!Number.isNaN(start) && !(first !== undefined && first <= start)) first = start
  }
  return first === undefined ? undefined : new Date(first).toISOString()
}

function pythonic(options: ImportOptions): ImportOptions {
  return { ...options, limits: foreignLimits(options.limits) }
}

async function* readRuns(
  source: Source,
  options: ImportOptions,
  created_at: string | undefined,
): AsyncGenerator<Found> {
  const name = stemOf(source.name)
  yield* runFindings(
    {
      id: options.evaluation ?? (await source.contentId()),
      name,
      source: 'phoenix',
      created_at,
      variant: name,
      // The file says nothing of what ran.
      config_name: options.variant ?? name,
      parameters: Json.of({}),
      author: undefined,
    },
    options,
  )
  const { limits } = pythonic(options)
  const examples = new Examples()
  for await (const record of readRecords(source, pythonic(options))) {
    if ('kind' in record) {
      yield record
      continue
    }
    const row = yield* objectOf(record)
    if (!row) continue
    if (!['example_id', 'input', 'output', 'error', 'annotations'].some((name) => row.get(name)))
      yield refuse(record, '', 'This is no run of an experiment: it has neither an example_id nor an output.')
    else {
      const draft = draftOf(row, record.index)
      const order = examples.order(row.get('example_id')?.plain ?? draft.id, draft.repetition ?? 1)
      draft.id = examples.ids.unique(draft.id)
      yield* scenarioFindings(draft, record, limits, { order })
    }
  }
}

/** Repetitions stand behind each other. Of each example a few bytes are kept. */
class Examples {
  readonly ids = new UniqueIds()
  readonly #places = new Map<string, number>()

  /** In the order in which the examples come. */
  order(example: string, repetition: number): number {
    const place = this.#places.get(example) ?? this.#places.size
    this.#places.set(example, place)
    return place * MOST_REPETITIONS + Math.min(repetition, MOST_REPETITIONS - 1)
  }
}

const MOST_REPETITIONS = 1_000_000

function draftOf(row: Json, index: number): Draft {
  const example = row.get('example_id')?.plain ?? String(index + 1)
  const repetition = row.get('repetition_number')?.number
  const isCounted = repetition !== undefined && Number.isSafeInteger(repetition) && repetition > 0
  // The first run of an example has the same id however often the others were run.
  const draft = new Draft(isCounted && repetition > 1 ? `${example}:${repetition}` : example)
  if (isCounted) draft.repetition = repetition
  else draft.extra('repetition_number', row.get('repetition_number'))

  addInputs(draft, row.get('input'))
  addAnswers(draft, row.get('reference_output'))
  const latency = row.get('latency_ms')?.number
  if (latency === undefined) draft.extra('latency_ms', row.get('latency_ms'))
  const error = errorOf(row.get('error'))
  draft.output({
    value: row.get('output'),
    error: error === undefined ? undefined : { message: error },
    latency: latency === undefined ? undefined : latency / 1000,
  })
  addResults(draft, row.get('annotations'))
  draft.rest(row, USED)
  return draft
}

function addInputs(draft: Draft, input: Json | undefined): void {
  if (input?.isObject) for (const [name, value] of input.members) draft.input(name, value)
  else if (input) draft.input('input', input)
}

function addAnswers(draft: Draft, reference: Json | undefined): void {
  if (!reference?.isObject) {
    if (reference) draft.answer('reference_output', reference)
    return
  }
  for (const [key, value] of reference.members) if (!value.isNull) draft.answer(key, value)
}

function addResults(draft: Draft, annotations: Json | undefined): void {
  if (!annotations?.isArray) {
    draft.extra('annotations', annotations)
    return
  }
  const unknown: Json[] = []
  for (const annotation of annotations.elements) {
    const name = annotation.get('name')?.string
    if (name === undefined) unknown.push(annotation)
    else addResult(draft, name, annotation)
  }
  if (unknown.length > 0) draft.extra('annotations', Json.array(unknown))
}

/** A score wins over the label beside it; without both it was not scored. */
function addResult(draft: Draft, name: string, annotation: Json): void {
  const score = annotation.get('score')
  const value = score ?? annotation.get('label')
  const message = errorOf(annotation.get('error'))
  const extra = [...annotation.members].filter(
    ([member, { isNull, text }]) =>
      !OF_RESULT.has(member) && !isNull && text !== '{}' && (member !== 'label' || score !== undefined),
  )
  draft.result(name, {
    value,
    error: message === undefined ? undefined : { message },
    reason: annotation.get('explanation'),
    extra,
  })
}

function errorOf(error: Json | undefined): string | undefined {
  return error === undefined || error.string === '' ? undefined : error.plain
}
