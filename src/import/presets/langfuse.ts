// Imports experiments of Langfuse: the items that its API returns, run items joined with their traces, and results of the SDK.
import { Json } from '../../json/value.ts'
import type { ImportOptions } from '../importer.ts'
import type { Source } from '../source.ts'
import { presetImporter } from '../table/preset.ts'
import type { TableReader, TableValue } from '../table/rows.ts'
import {
  createRunCheck,
  expand,
  jsonOf,
  openMappedTable,
  type RowMapper,
  readFirstRow,
  rolesByName,
  textOf,
  type Values,
} from './rows.ts'

/** Members that contain the items: a page of the API, and results of the SDKs for Python and JavaScript. */
const DOCUMENTS = ['data', 'item_results', 'itemResults']
/** Members that are read into columns of their own. */
const USED_MEMBERS = ['item', 'datasetItem', 'input', 'expectedOutput', 'scores', 'evaluations']

function isLangfuseExport(names: readonly string[]): boolean {
  return ['', ...DOCUMENTS.map((name) => `${name}.`)].some((prefix) => {
    const has = (name: string) => names.includes(`${prefix}${name}`)
    const isItem = has('experimentItemId') || has('datasetItemId') || has('datasetItem')
    return (isItem && has('traceId')) || (has('item') && has('evaluations'))
  })
}

function createMapper(): RowMapper {
  const checkRuns = ['experimentId', 'datasetRunId'].map(createRunCheck)
  return (values, limits) => {
    const rejected = checkRuns.map((check) => check(values)).find((reason) => reason !== undefined)
    if (rejected !== undefined) return { rejected }
    const json = (name: string) => jsonOf(values.get(name), limits)
    const item = json('datasetItem') ?? json('item')
    const row = new Map<string, TableValue>(values)
    for (const name of USED_MEMBERS) row.delete(name)
    const expected = json('expectedOutput') ?? item?.get('expectedOutput') ?? item?.get('expected_output')
    return [
      ...expand('input', json('input') ?? item?.get('input')),
      ...row,
      ...(expected ? [['expectedOutput', expected] as const] : []),
      ...describeItem(item),
      ...describeFailure(values),
      ...latencyOf(values),
      ...readScores(json('scores') ?? json('evaluations')),
    ]
  }
}

/** What the item of the dataset has besides its input and expected output. */
function* describeItem(item: Json | undefined): Generator<readonly [string, Json]> {
  const id = item?.get('id')
  if (id) yield ['itemId', id]
  const metadata = item?.get('metadata')
  if (metadata) yield ['itemMetadata', metadata]
}

/** An item has a level, but its message is only in the trace. */
function* describeFailure(values: Values): Generator<readonly [string, Json]> {
  const message = textOf(values.get('statusMessage'))
  if (textOf(values.get('level')) === 'ERROR')
    yield ['failure', Json.of(message === '' ? 'Langfuse recorded an error (level ERROR).' : message)]
}

function* latencyOf(values: Values): Generator<readonly [string, Json]> {
  const [start, end] = ['startTime', 'endTime'].map((name) => Date.parse(textOf(values.get(name))))
  const seconds = ((end ?? Number.NaN) - (start ?? Number.NaN)) / 1000
  if (!values.has('latency') && Number.isFinite(seconds)) yield ['latency', Json.of(seconds)]
}

/** Older versions store verdicts and categories as numbers, with their text beside it. */
function* readScores(scores: Json | undefined): Generator<readonly [string, Json]> {
  for (const score of scores?.elements ?? []) {
    const name = score.get('name')?.string
    if (name === undefined) continue
    const type = score.get('dataType')?.string ?? score.get('data_type')?.string
    const value = score.get('value')
    const text = score.get('stringValue')
    if (type === 'BOOLEAN' && value?.number !== undefined)
      yield [`scores.${name}`, Json.of(value.number !== 0)]
    else if (type !== 'NUMERIC' && text) yield [`scores.${name}`, text]
    else yield [`scores.${name}`, value ?? Json.of(null)]
    const comment = score.get('comment')
    if (comment) yield [`comments.${name}`, comment]
  }
}

function openItems(source: Source, options: ImportOptions): Promise<TableReader> {
  return openMappedTable(source, options, { documents: DOCUMENTS, createMapper, ids: ID_MEMBERS })
}

/** The id of a dataset item is the same in all runs. */
const ID_MEMBERS = ['experimentItemId', 'datasetItemId', 'itemId', 'id']

export const langfuse = presetImporter({
  name: 'langfuse',
  label: 'Langfuse',
  description: 'experiment items and dataset run items from Langfuse as JSON, with traceId and scores',
  docs: 'how-to/import-presets.md',
  reference: 'reference/imports/presets.md',
  example: 'assay import experiment-items.json --variant support-bot',
  detects: (names, source) => source.jsonPreview !== undefined && isLangfuseExport(names),
  openTable: openItems,
  columns(names) {
    const columns = rolesByName(
      names,
      {
        input: { role: 'input' },
        output: { role: 'output' },
        expectedOutput: { role: 'expected' },
        failure: { role: 'error' },
        latency: { role: 'latency', type: 's' },
        totalCost: { role: 'cost', type: 'usd' },
      },
      { 'input.': { role: 'input' }, 'scores.': { role: 'score' }, 'comments.': { role: 'reason' } },
    )
    const idName = ID_MEMBERS.find((name) => names.includes(name))
    if (idName !== undefined) columns.set(idName, { role: 'id' })
    for (const name of names) if (!columns.has(name)) columns.set(name, { role: 'extra' })
    return columns
  },
  async describeRun(source, options) {
    const row = await readFirstRow(await openItems(source, options), options)
    const first = (...names: string[]) =>
      names.map((name) => textOf(row.get(name))).find((text) => text !== '')
    const id = first('experimentId', 'experiment_id', 'datasetRunId', 'dataset_run_id')
    const name = first('experimentName', 'datasetRunName')
    const created_at = first('startTime', 'createdAt')
    return { ...(id && { id }), ...(name && { name }), ...(created_at && { created_at }) }
  },
})
