// promptfoo: what `promptfoo eval -o` writes, as JSON of the versions 1 to 3 or as JSONL, and what it shares. Each
// column of its table, which is one prompt with one provider, is an evaluation.
import type { DocumentPaths } from '../json/document.ts'
import type { JsonRecord } from '../json/records.ts'
import { Json } from '../json/value.ts'
import type { Found } from '../schema/findings.ts'
import { normaliseTime } from '../schema/times.ts'
import { foreignLimits, runFindings, scenarioFindings, stemOf, UniqueIds } from './foreign.ts'
import type { Importer, ImportOptions } from './importer.ts'
import { Columns } from './promptfoo-columns.ts'
import { draftOf } from './promptfoo-row.ts'
import { Tests } from './promptfoo-tests.ts'
import { objectOf, readDocument, readRecords, readRest, refuse } from './reading.ts'
import type { Source } from './source.ts'

const TABLES = ['table.body', 'results.table.body']
const isNoTable = (path: string) => !TABLES.includes(path)

const PATHS: DocumentPaths = {
  records: ['results', 'results.results'],
  // Each result has its own test; all of them together may be larger than anything else.
  dropped: ['config.tests', 'config.scenarios', ...TABLES],
}

export const promptfoo: Importer = {
  name: 'promptfoo',
  reads: 'what promptfoo eval -o writes as JSON or JSONL, with results of prompts and vars',

  claims({ opening }) {
    if (opening?.shape !== 'lines') return false
    const has = (...paths: string[]) => paths.every((path) => opening.paths.has(path))
    const isDocument =
      has('results.version', 'results.prompts') ||
      has('results.results.vars') ||
      has('results.vars', 'results.prompt') ||
      has('prompts', 'config', 'results')
    return isDocument || has('promptIdx', 'vars') || has('prompt.raw', 'vars', 'success')
  },

  async open(source, options) {
    const how = { ...options, limits: foreignLimits(options.limits) }
    const head = isLines(source) ? Json.object([]) : await readRest(source, PATHS, how)
    const created_at = timeOf(head) ?? source.modified?.toISOString()
    return { created_at, findings: () => read(source, head, created_at, how) }
  },
}

/** The first that is a time. */
function timeOf(head: Json): string | undefined {
  const shared = head.get('createdAt')
  const milliseconds = shared?.number ?? Number.NaN
  const times = [
    head.get('results', 'timestamp')?.string,
    head.get('metadata', 'evaluationCreatedAt')?.string,
    Math.abs(milliseconds) < 8.64e15 ? new Date(milliseconds).toISOString() : shared?.string,
  ]
  return times.find((time) => time !== undefined && normaliseTime(time) !== undefined)
}

function isLines({ opening }: Source): boolean {
  return opening?.paths.has('results') !== true
}

function rowsOf(source: Source, options: ImportOptions) {
  return isLines(source) ? readRecords(source, options) : readDocument(source, PATHS, options)
}

async function* read(
  source: Source,
  head: Json,
  created_at: string | undefined,
  options: ImportOptions,
): AsyncGenerator<Found> {
  const columns = new Columns(head)
  const tests = new Tests()
  const repeats = [head.get('runtimeOptions', 'repeat'), head.get('config', 'evaluateOptions', 'repeat')]
  const isRepeated = repeats.some((repeat) => (repeat?.number ?? 1) > 1)
  if (!columns.areKnown || isRepeated) await learn(source, head, columns, tests, options)
  yield* headFindings(source, head, columns, created_at, options)
  const ids = new UniqueIds()
  for await (const record of rowsOf(source, options)) {
    if ('kind' in record) yield record
    else yield* rowFindings(record, columns, tests, ids, options)
  }
}

/** What the file does not say beforehand is learned from its rows. */
async function learn(
  source: Source,
  head: Json,
  columns: Columns,
  tests: Tests,
  options: ImportOptions,
): Promise<void> {
  const how = { ...options, onRead: () => undefined }
  const table = head.get('table', 'head') ?? head.get('results', 'table', 'head')
  const names = table?.get('vars')?.elements
  if (names) {
    const paths = { records: [...PATHS.records, ...TABLES], dropped: PATHS.dropped.filter(isNoTable) }
    for await (const record of readDocument(source, paths, how))
      if ('path' in record && record.scanned && !isNoTable(record.path))
        tests.learnOrder(names, new Json(record.scanned.text))
  }
  for await (const record of rowsOf(source, how)) {
    if (!('scanned' in record) || !record.scanned) continue
    const row = new Json(record.scanned.text)
    columns.learn(row)
    const column = columns.find(row)
    if (column !== undefined) tests.learn(row, column)
  }
}

function* rowFindings(
  record: JsonRecord,
  columns: Columns,
  tests: Tests,
  ids: UniqueIds,
  options: ImportOptions,
): Generator<Found> {
  const row = yield* objectOf(record)
  if (!row) return
  const column = columns.find(row)
  if (column === undefined) {
    const detail = `This result is of none of the ${columns.all.length} columns that the file names.`
    yield refuse(record, '/promptIdx', detail)
    return
  }
  if (!['vars', 'prompt', 'response', 'gradingResult', 'testCase'].some((name) => row.get(name))) {
    yield refuse(
      record,
      '',
      'This is no result of promptfoo: it has neither vars nor a prompt nor a response.',
    )
    return
  }
  const { order, repetition } = tests.place(row, column)
  const id = row.get('id')?.string || ids.unique(String(order), column)
  const draft = draftOf(row, id)
  draft.repetition = repetition
  const evaluation = columns.ordinalOf(column) ?? 0
  yield* scenarioFindings(draft, record, options.limits, { evaluation, order })
}

async function* headFindings(
  source: Source,
  head: Json,
  columns: Columns,
  created_at: string | undefined,
  options: ImportOptions,
): AsyncGenerator<Found> {
  const ownId = head.get('evalId')?.string || head.get('id')?.string
  const id = options.evaluation ?? (ownId || (await source.contentId()))
  const config = head.get('config')
  const description = config?.get('description')?.string || undefined
  const version = head.get('metadata', 'promptfooVersion')?.string
  const variant = options.variant ?? description ?? stemOf(source.name)
  const of = (name: string, number: number) => (columns.areSeveral ? `${name}:${number}` : name)
  for (const { number, column } of columns.all) {
    const provider = column.provider === undefined ? undefined : Json.of(column.provider)
    const run = {
      id: of(id, number),
      name: description ?? stemOf(source.name),
      source: version === undefined ? 'promptfoo' : `promptfoo ${version}`,
      created_at,
      variant: of(variant, number),
      config_name: column.label,
      parameters: Json.object([
        ['prompt', column.prompt],
        ['prompt_config', column.promptConfig],
        ['provider', provider],
        ['config', column.config],
      ]),
      author: head.get('metadata', 'author')?.string ?? head.get('author')?.string,
      metadata: Json.object([
        ['promptIdx', columns.areSeveral ? Json.of(number) : undefined],
        ['provider', provider],
        ['tags', config?.get('tags')],
      ]),
    }
    yield* runFindings(run, { ...options, evaluation: undefined, variant: undefined })
  }
}
