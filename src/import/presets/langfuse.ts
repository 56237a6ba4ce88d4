// Imports experiments of Langfuse: the items that its API returns, run items joined with their traces, and results of the SDK.
import { Json } from '../../json/value.ts'
import { createRunCheck, expand, jsonOf, type RowMapper, textOf, type Values } from '../table/mapped-rows.ts'
import { columnRoles, presetImporter } from '../table/preset.ts'
import type { TableValue } from '../table/rows.ts'

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

/** The id of a dataset item is the same in all runs. */
const ID_MEMBERS = ['experimentItemId', 'datasetItemId', 'itemId', 'id']

const rolesOf = columnRoles({
  input: 'input, input.*',
  output: 'output',
  expected: 'expectedOutput',
  error: 'failure',
  score: 'scores.*',
  reason: 'comments.*',
  'latency:s': 'latency',
  'cost:usd': 'totalCost',
})

export const langfuse = presetImporter({
  name: 'langfuse',
  label: 'Langfuse',
  description: 'experiment items and dataset run items from Langfuse as JSON, with traceId and scores',
  example: 'assay import experiment-items.json --variant support-bot',
  detects: (names, source) => source.jsonPreview !== undefined && isLangfuseExport(names),
  rows: { documents: DOCUMENTS, createMapper, ids: ID_MEMBERS },
  run: {
    id: ['experimentId', 'experiment_id', 'datasetRunId', 'dataset_run_id'],
    name: ['experimentName', 'datasetRunName'],
    created_at: ['startTime', 'createdAt'],
  },
  columns(names) {
    const columns = rolesOf(names)
    const idName = ID_MEMBERS.find((name) => names.includes(name))
    for (const name of names)
      if (!columns.has(name)) columns.set(name, { role: name === idName ? 'id' : 'extra' })
    return columns
  },
})
