// Output items of OpenAI's evaluations: as a run is downloaded (one a line, with item and grades), and as the API
// answers them (with datasource_item and results), one a line, in an array or as a page of a list.
import { Json } from '../json/value.ts'
import type { Found, RecordPlace } from '../schema/findings.ts'
import type { Draft } from './draft.ts'
import { foreignLimits, runFindings, scenarioFindings, stemOf, UniqueIds } from './foreign.ts'
import type { Importer, ImportOptions } from './importer.ts'
import { draftOf, idOf } from './openai-items.ts'
import { objectOf, readDocument, readRecords, readRest, refuse, repair } from './reading.ts'
import type { Source } from './source.ts'

const TELLING = ['data_source_idx', 'grades', 'passes', 'datasource_item', 'datasource_item_id']
const MEMBERS = ['item', 'datasource_item', 'sample', 'grades', 'passes', 'results']
const SETTINGS = ['model', 'temperature', 'max_completion_tokens', 'top_p', 'seed']
const PAGE = { records: ['data'], dropped: [] }

export const openai: Importer = {
  name: 'openai',
  reads: 'output items of OpenAI evaluations, with run_id and grades or results',

  claims({ opening }) {
    if (!opening) return false
    const start = isPage(opening.paths) ? 'data.' : ''
    const has = (name: string) => opening.paths.has(`${start}${name}`)
    return has('run_id') && TELLING.some(has)
  },

  async open(source, options) {
    const runs = await collectRuns(source, options)
    // They stand in the order of their times.
    const first = runs.find(({ created }) => created !== undefined)?.created
    return {
      created_at: first === undefined ? source.modified?.toISOString() : new Date(first).toISOString(),
      findings: () => readItems(source, options, runs),
    }
  },
}

function isPage(paths: ReadonlySet<string> | undefined): boolean {
  return paths?.has('data.run_id') === true && !paths.has('run_id')
}

/** What the items of a run have in common. */
interface Run {
  id: string | undefined
  eval_id: string | undefined
  /** Whether an item comes more than once. */
  isRepeated: boolean
  /** The time of the first of its items. */
  created: number | undefined
  /** Each setting as all items have it that have one; undefined where they differ. */
  settings: Map<string, Json | undefined>
}

/** Before the first scenario every run has to be known, so that the file is read twice. In the order of their times. */
async function collectRuns(source: Source, options: ImportOptions): Promise<Run[]> {
  const runs = new Map<string | undefined, Run>()
  const counts = new UniqueIds()
  for await (const record of items(source, options)) {
    if ('kind' in record || !record.scanned) continue
    const row = new Json(record.scanned.text)
    if (!row.isObject) continue
    const id = runOf(row)
    const known = runs.get(id)
    const run = known ?? {
      id,
      eval_id: undefined,
      created: undefined,
      isRepeated: false,
      settings: new Map(),
    }
    runs.set(id, run)
    if (counts.count(`${id} ${idOf(row, record.index)}`) > 1) run.isRepeated = true
    note(run, row)
  }
  return [...runs.values()].toSorted((a, b) => (a.created ?? 0) - (b.created ?? 0))
}

function note(run: Run, row: Json): void {
  run.eval_id ??= row.get('eval_id')?.string
  const created = (row.get('created_at')?.number ?? Number.NaN) * 1000
  if (Math.abs(created) <= 8.64e15) run.created = Math.min(created, run.created ?? created)
  const sample = row.get('sample')
  const found = SETTINGS.map((name) => [name, sample?.get(name)] as const)
  const model = sample?.get('model') ?? sample?.get('sampled_model_name')
  for (const [name, value] of [...found, ['model', model], ['prompt', promptOf(sample)]] as const) {
    if (!value) continue
    const known = run.settings.get(name)
    run.settings.set(name, run.settings.has(name) && known?.text !== value.text ? undefined : value)
  }
}

/** The instructions that stand before what is asked: where an experiment differs in them, it ran something else. */
function promptOf(sample: Json | undefined): Json | undefined {
  const messages = (sample?.get('input') ?? sample?.get('trajectory'))?.elements ?? []
  const isInstruction = (message: Json) => ['system', 'developer'].includes(message.get('role')?.string ?? '')
  const end = messages.findIndex((message) => !isInstruction(message))
  const leading = messages.slice(0, end === -1 ? messages.length : end)
  const texts = leading.map((message) => message.get('content')).filter((content) => content !== undefined)
  if (texts.length === 0) return undefined
  return texts.length === 1 ? texts[0] : Json.array(texts)
}

function runOf(row: Json): string | undefined {
  return row.get('run_id')?.plain
}

async function* items(source: Source, options: ImportOptions) {
  const how = { ...options, limits: foreignLimits(options.limits) }
  if (isPage(source.opening?.paths)) yield* readDocument(source, PAGE, how)
  else yield* readRecords(source, how)
}

async function* readItems(source: Source, options: ImportOptions, runs: Run[]): AsyncGenerator<Found> {
  const repetitions = new Repetitions(runs)
  const indexes = new Map<string | undefined, number>()
  for (const run of runs) {
    const { evaluation } = options
    const own = evaluation !== undefined && runs.length > 1 ? `${evaluation}:${run.id}` : evaluation
    yield* foundRun(run, source, { ...options, evaluation: own })
    indexes.set(run.id, indexes.size)
  }
  if (isPage(source.opening?.paths)) yield* moreToCome(source, options)
  for await (const record of items(source, options)) {
    if ('kind' in record) {
      yield record
      continue
    }
    const row = yield* objectOf(record)
    if (!row) continue
    if (MEMBERS.some((name) => row.get(name)))
      yield* foundItem(row, record, options, indexes.get(runOf(row)) ?? 0, repetitions)
    else yield refuse(record, '', 'This is no output item: it has neither an item nor a sample nor grades.')
  }
}

async function* foundRun(run: Run, source: Source, options: ImportOptions): AsyncGenerator<Found> {
  const stem = stemOf(source.name)
  // Always in the same order, so that equal settings make equal revisions.
  const parameters = [...SETTINGS, 'prompt'].map((name) => [name, run.settings.get(name)] as const)
  const variant = run.eval_id ?? stem
  const id = run.id ?? (await source.contentId())
  const created_at =
    run.created === undefined ? source.modified?.toISOString() : new Date(run.created).toISOString()
  yield* runFindings(
    {
      id,
      name: run.id === undefined ? stem : id,
      source: 'openai',
      created_at,
      variant,
      config_name: run.settings.get('model')?.plain ?? options.variant ?? variant,
      parameters: Json.object(parameters),
      author: undefined,
      metadata: Json.object([['eval_id', run.eval_id === undefined ? undefined : Json.of(run.eval_id)]]),
    },
    options,
  )
}

/** A page may be one of several. */
async function* moreToCome(source: Source, options: ImportOptions): AsyncGenerator<Found> {
  const rest = await readRest(source, PAGE, { ...options, onRead: () => undefined }).catch(() => undefined)
  // What cannot be read is told of when the items are.
  if (rest?.get('has_more')?.boolean)
    yield repair(
      null,
      1,
      '/has_more',
      'This page says that there are more items, which are not in this file.',
    )
}

function* foundItem(
  row: Json,
  place: RecordPlace,
  options: ImportOptions,
  evaluation: number,
  repetitions: Repetitions,
): Generator<Found> {
  const draft = draftOf(row, place.index)
  repetitions.number(draft, evaluation)
  const order = (row.get('data_source_idx') ?? row.get('datasource_item_id'))?.number
  const where = order !== undefined && order >= 0 ? { evaluation, order } : { evaluation }
  yield* scenarioFindings(draft, place, options.limits, where)
}

/** An item may have been sampled more than once: it stays as many rows. */
class Repetitions {
  readonly #runs: Run[]
  readonly #counts = new UniqueIds()
  readonly #ids = new UniqueIds()

  constructor(runs: Run[]) {
    this.#runs = runs
  }

  number(draft: Draft, evaluation: number): void {
    const count = this.#counts.count(draft.id, evaluation)
    if (this.#runs[evaluation]?.isRepeated) draft.repetition = count
    draft.id = this.#ids.unique(draft.id, evaluation)
  }
}
