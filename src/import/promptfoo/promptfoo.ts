// Imports promptfoo results: the output of `promptfoo eval -o` as JSON (versions 1 to 3), JSONL or CSV, and shared
// evaluations. Each column of the table (one prompt with one provider) becomes an evaluation.
import type { DocumentPaths } from '../../json/document.ts'
import { Json } from '../../json/value.ts'
import type { ImportEvent, RecordLocation } from '../../schema/import-events.ts'
import { normalizeTime } from '../../schema/times.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import {
  objectEvents,
  readDocument,
  readObjects,
  readRecords,
  readRest,
  rejectionNote,
} from '../read-records.ts'
import type { Source } from '../source.ts'
import { scenarioEvents, UniqueIds } from '../tool-run.ts'
import { ImportedStatistics } from '../tool-statistics.ts'
import { hasAny } from '../values.ts'
import { Columns, columnEvents } from './columns.ts'
import { headOf, isPromptfooCsv, readLayout, readResults } from './csv.ts'
import { countResults, omissionNotes, statisticsNotes } from './file-notes.ts'
import { buildScenario } from './row.ts'
import { TestOrder } from './tests.ts'

const TABLE_PATHS = ['table.body', 'results.table.body']
const isNotTable = (path: string) => !TABLE_PATHS.includes(path)

const PATHS: DocumentPaths = {
  records: ['results', 'results.results'],
  // Each result contains its own test. The lists of all tests can be very large.
  dropped: ['config.tests', 'config.scenarios', ...TABLE_PATHS],
}

export const promptfoo: Importer = {
  name: 'promptfoo',
  label: 'promptfoo',
  description: 'the output of promptfoo eval -o as JSON, JSONL or CSV, with results of prompts and vars',
  docs: 'how-to/import-promptfoo.md',
  reference: 'reference/imports/promptfoo.md',
  example: 'assay import results.json',

  detects(source) {
    const { jsonPreview } = source
    if (!jsonPreview) return isPromptfooCsv(source)
    if (jsonPreview.shape !== 'lines') return false
    const has = (...paths: string[]) => paths.every((path) => jsonPreview.paths.has(path))
    const isDocument =
      has('results.version', 'results.prompts') ||
      has('results.results.vars') ||
      has('results.vars', 'results.prompt') ||
      has('prompts', 'config', 'results')
    return isDocument || has('promptIdx', 'vars') || has('prompt.raw', 'vars', 'success')
  },

  async open(source, options) {
    if (!source.jsonPreview && (isPromptfooCsv(source) || /\.csv$/i.test(source.name))) {
      const layout = await readLayout(source, options.limits)
      return {
        async *events(created_at) {
          const head = headOf(layout)
          const columns = new Columns(head)
          yield* columnEvents(source, head, columns, created_at, options)
          const [tests, ids] = [new TestOrder(), new UniqueIds()]
          for await (const result of readResults(source, layout, options.limits)) {
            if (result.kind === 'result')
              yield* rowEvents(result.row, result.place, columns, tests, ids, options)
            else yield result
          }
        },
      }
    }
    const head = isJsonl(source) ? Json.object([]) : await readRest(source, PATHS, options.limits)
    return {
      created_at: readTime(head),
      missing: describeMissing(head),
      async *events(created_at) {
        const columns = new Columns(head)
        const tests = new TestOrder()
        const repeats = [
          head.get('runtimeOptions', 'repeat'),
          head.get('config', 'evaluateOptions', 'repeat'),
        ]
        const isRepeated = repeats.some((repeat) => (repeat?.number ?? 1) > 1)
        if (!columns.areKnown || isRepeated) await collectFromRows(source, head, columns, tests, options)
        yield* columnEvents(source, head, columns, created_at, options)
        yield* omissionNotes(head)
        const ids = new UniqueIds()
        const imported = columns.all.map(() => new ImportedStatistics())
        for await (const event of objectEvents(readRows(source, options), (row, record) =>
          rowEvents(row, record, columns, tests, ids, options),
        )) {
          if (event.kind === 'scenario') imported[event.evaluation ?? 0]?.add(event)
          yield event
        }
        yield* statisticsNotes(head, imported)
      },
    }
  },
}

/** The statistics of a file can count results that were not written. */
function describeMissing(head: Json): string | undefined {
  const count = countResults(head)
  if (!(count > 0)) return undefined
  return `Its statistics count ${count}. Write the file again: promptfoo export eval ID -o results.json.`
}

/** The first valid time. */
function readTime(head: Json): string | undefined {
  const sharedTime = head.get('createdAt')
  const milliseconds = sharedTime?.number ?? Number.NaN
  const times = [
    head.get('results', 'timestamp')?.string,
    head.get('metadata', 'evaluationCreatedAt')?.string,
    Math.abs(milliseconds) < 8.64e15 ? new Date(milliseconds).toISOString() : sharedTime?.string,
  ]
  return times.find((time) => time !== undefined && normalizeTime(time) !== undefined)
}

function isJsonl({ jsonPreview }: Source): boolean {
  return jsonPreview?.paths.has('results') !== true
}

function readRows(source: Source, { limits }: ImportOptions) {
  return isJsonl(source) ? readRecords(source, limits) : readDocument(source, PATHS, limits)
}

/** Collects columns and repetitions from the rows, if the file does not list them first. */
async function collectFromRows(
  source: Source,
  head: Json,
  columns: Columns,
  tests: TestOrder,
  options: ImportOptions,
): Promise<void> {
  const table = head.get('table', 'head') ?? head.get('results', 'table', 'head')
  const names = table?.get('vars')?.elements
  if (names) {
    const paths = { records: [...PATHS.records, ...TABLE_PATHS], dropped: PATHS.dropped.filter(isNotTable) }
    for await (const record of readDocument(source, paths, options.limits))
      if ('path' in record && record.scanned && !isNotTable(record.path))
        tests.addTableRow(names, new Json(record.scanned.text))
  }
  for await (const { row } of readObjects(readRows(source, options))) {
    columns.addFromRow(row)
    const column = columns.find(row)
    if (column !== undefined) tests.addResult(row, column)
  }
}

function* rowEvents(
  row: Json,
  record: RecordLocation,
  columns: Columns,
  tests: TestOrder,
  ids: UniqueIds,
  options: ImportOptions,
): Generator<ImportEvent> {
  const column = columns.find(row)
  if (column === undefined) {
    const detail = `This result belongs to none of the ${columns.all.length} columns of the file.`
    return yield rejectionNote(record, '/promptIdx', detail)
  }
  if (!hasAny(row, 'vars', 'prompt', 'response', 'gradingResult', 'testCase')) {
    const detail = 'This record is not a promptfoo result: it has no vars, no prompt and no response.'
    return yield rejectionNote(record, '', detail)
  }
  const { order, sample, repetition } = tests.locate(row, column)
  const builder = buildScenario(row, row.get('id')?.string || ids.makeUnique(String(order), column))
  // Every run has other random ids, and the position of a test changes when tests are added or reordered.
  builder.hasGeneratedId = true
  builder.sample = sample
  builder.repetition = repetition
  const evaluation = columns.ordinalOf(column) ?? 0
  yield* scenarioEvents(builder, record, options.limits, { evaluation, order })
}
