// Imports output items from OpenAI evaluations: downloaded runs (JSONL with item and grades), and API responses (with
// datasource_item and results) as JSONL, as an array or as a page of a list.
import { Json } from '../../json/value.ts'
import type { ImportEvent, RecordLocation } from '../../schema/import-events.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import {
  objectEvents,
  readDocument,
  readObjects,
  readRecords,
  readRest,
  rejectionNote,
  repairNote,
} from '../read-records.ts'
import type { Source } from '../source.ts'
import { describeRun, Repetitions, runEvents, scenarioEvents, UniqueIds } from '../tool-run.ts'
import { hasAny } from '../values.ts'
import { buildScenario, idOf } from './output-item.ts'

const DISTINCTIVE_MEMBERS = ['data_source_idx', 'grades', 'passes', 'datasource_item', 'datasource_item_id']
const ITEM_MEMBERS = ['item', 'datasource_item', 'sample', 'grades', 'passes', 'results']
const SETTING_MEMBERS = ['model', 'temperature', 'max_completion_tokens', 'top_p', 'seed']
const PAGE_PATHS = { records: ['data'], dropped: [] }

export const openai: Importer = {
  name: 'openai',
  label: 'OpenAI evaluations',
  description: 'output items from OpenAI evaluations, with run_id and grades or results',
  docs: 'how-to/import-openai.md',
  reference: 'reference/imports/openai.md',
  example: 'assay import items.json --variant support-bot',

  detects({ jsonPreview }) {
    if (!jsonPreview) return false
    const prefix = isPage(jsonPreview.paths) ? 'data.' : ''
    const has = (name: string) => jsonPreview.paths.has(`${prefix}${name}`)
    return has('run_id') && DISTINCTIVE_MEMBERS.some(has)
  },

  async open(source, options) {
    const runs = await collectRuns(source, options)
    // The runs are sorted by time.
    const firstTime = runs.find(({ created }) => created !== undefined)?.created
    return {
      created_at: firstTime === undefined ? undefined : new Date(firstTime).toISOString(),
      async *events(created_at) {
        const repetitions = new Repetitions()
        const indexes = new Map<string | undefined, number>()
        for (const run of runs) {
          const { evaluation } = options
          const evaluationId =
            evaluation !== undefined && runs.length > 1 ? `${evaluation}:${run.id}` : evaluation
          const runOptions = { ...options, evaluation: evaluationId }
          yield* runEvents(await describeRun(source, descriptionOf(run, created_at), runOptions), runOptions)
          indexes.set(run.id, indexes.size)
        }
        if (isPage(source.jsonPreview?.paths)) yield* pageNotes(source, options)
        yield* objectEvents(readItemRecords(source, options), function* (row, record) {
          if (!hasAny(row, ...ITEM_MEMBERS)) {
            const detail = 'This record is not an output item: it has no item, no sample and no grades.'
            return yield rejectionNote(record, '', detail)
          }
          const evaluation = indexes.get(runId(row)) ?? 0
          const isRepeated = runs[evaluation]?.isRepeated === true
          yield* itemEvents(row, record, options, { evaluation, isRepeated }, repetitions)
        })
      },
    }
  },
}

function isPage(paths: ReadonlySet<string> | undefined): boolean {
  return paths?.has('data.run_id') === true && !paths.has('run_id')
}

/** Data shared by the items of a run. */
interface OpenAiRun {
  id: string | undefined
  eval_id: string | undefined
  /** Whether an item occurs more than once. */
  isRepeated: boolean
  /** The time of its first item. */
  created: number | undefined
  /** Settings of the run. A value is undefined if the items differ in it. */
  settings: Map<string, Json | undefined>
}

/** Finds all runs, sorted by time. Scenarios need them first, so the file is read twice. */
async function collectRuns(source: Source, options: ImportOptions): Promise<OpenAiRun[]> {
  const runs = new Map<string | undefined, OpenAiRun>()
  const counts = new UniqueIds()
  for await (const { row, record } of readObjects(readItemRecords(source, options))) {
    const id = runId(row)
    const run = runs.get(id) ?? {
      id,
      eval_id: undefined,
      created: undefined,
      isRepeated: false,
      settings: new Map(),
    }
    runs.set(id, run)
    if (counts.countOccurrence(`${id} ${idOf(row, record.index)}`) > 1) run.isRepeated = true
    updateRun(run, row)
  }
  return [...runs.values()].toSorted((a, b) => (a.created ?? 0) - (b.created ?? 0))
}

function updateRun(run: OpenAiRun, row: Json): void {
  run.eval_id ??= row.get('eval_id')?.string
  const created = (row.get('created_at')?.number ?? Number.NaN) * 1000
  if (Math.abs(created) <= 8.64e15) run.created = Math.min(created, run.created ?? created)
  const sample = row.get('sample')
  const settings = SETTING_MEMBERS.map((name) => [name, sample?.get(name)] as const)
  const model = sample?.get('model') ?? sample?.get('sampled_model_name')
  for (const [name, value] of [...settings, ['model', model], ['prompt', promptOf(sample)]] as const) {
    if (!value) continue
    const previousValue = run.settings.get(name)
    run.settings.set(name, run.settings.has(name) && previousValue?.text !== value.text ? undefined : value)
  }
}

/** The system and developer messages at the start. Runs with different ones are different configurations. */
function promptOf(sample: Json | undefined): Json | undefined {
  const messages = (sample?.get('input') ?? sample?.get('trajectory'))?.elements ?? []
  const isInstruction = (message: Json) => ['system', 'developer'].includes(message.get('role')?.string ?? '')
  const end = messages.findIndex((message) => !isInstruction(message))
  const instructions = messages.slice(0, end === -1 ? messages.length : end)
  const texts = instructions
    .map((message) => message.get('content'))
    .filter((content) => content !== undefined)
  if (texts.length === 0) return undefined
  return texts.length === 1 ? texts[0] : Json.array(texts)
}

function runId(row: Json): string | undefined {
  return row.get('run_id')?.plain
}

function readItemRecords(source: Source, { limits }: ImportOptions) {
  return isPage(source.jsonPreview?.paths)
    ? readDocument(source, PAGE_PATHS, limits)
    : readRecords(source, limits)
}

/** `created_at`: the time of a run whose items have none. */
function descriptionOf({ id, eval_id, created, settings }: OpenAiRun, created_at: string | undefined) {
  // In a fixed order, so that equal settings give equal revisions.
  const parameters = [...SETTING_MEMBERS, 'prompt'].map((name) => [name, settings.get(name)] as const)
  return {
    id,
    name: id,
    source: 'openai',
    created_at: created === undefined ? created_at : new Date(created).toISOString(),
    variant: eval_id,
    config_name: settings.get('model')?.plain,
    parameters: Json.object(parameters),
    metadata: Json.object([['eval_id', eval_id === undefined ? undefined : Json.of(eval_id)]]),
  }
}

/** Notes that a page is not the last one. */
async function* pageNotes(source: Source, options: ImportOptions): AsyncGenerator<ImportEvent> {
  const rest = await readRest(source, PAGE_PATHS, options.limits).catch(() => undefined)
  // Read errors are reported when the items are read.
  if (rest?.get('has_more')?.boolean)
    yield repairNote(null, 1, '/has_more', 'The page has has_more set. Further items are not in this file.')
}

function* itemEvents(
  row: Json,
  location: RecordLocation,
  options: ImportOptions,
  { evaluation, isRepeated }: { evaluation: number; isRepeated: boolean },
  repetitions: Repetitions,
): Generator<ImportEvent> {
  const builder = buildScenario(row, location.index)
  const { id, repetition } = repetitions.next(builder.id, evaluation)
  if (isRepeated) {
    builder.sample = builder.id
    builder.repetition = repetition
  }
  builder.id = id
  const order = (row.get('data_source_idx') ?? row.get('datasource_item_id'))?.number
  const position = order !== undefined && order >= 0 ? { evaluation, order } : { evaluation }
  yield* scenarioEvents(builder, location, options.limits, position)
}
