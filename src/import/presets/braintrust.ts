// Imports experiments of Braintrust: the CSV and JSON exports of the page, and the events that its API returns.
import { Json } from '../../json/value.ts'
import type { ColumnChoice } from '../table/columns.ts'
import { createRunCheck, expand, jsonOf, type RowMapper, textOf } from '../table/mapped-rows.ts'
import { columnRoles, presetImporter } from '../table/preset.ts'
import type { TableValue } from '../table/rows.ts'

const EXTRA: ColumnChoice = { role: 'extra' }
const CHILD_SPAN = 'A child span is not a row of the experiment.'

/** The members of the exports. The API returns more. */
function isBraintrustTable(names: readonly string[]): boolean {
  const prefix = names.includes('events.scores') ? 'events.' : ''
  const has = (name: string) => names.includes(`${prefix}${name}`)
  const hasScores = has('scores') || names.some((name) => name.startsWith(`${prefix}scores.`))
  const isEvent = has('span_id') || has('root_span_id') || has('experiment_id') || has('metrics')
  return has('input') && has('output') && hasScores && (isEvent || (has('expected') && has('tags')))
}

function createMapper(): RowMapper {
  const checkRun = createRunCheck('experiment_id')
  return (values, limits) => {
    const parents = jsonOf(values.get('span_parents'), limits)
    if (textOf(values.get('is_root')) === 'false' || (parents?.isArray && parents.elements.length > 0))
      return { omitted: CHILD_SPAN }
    const rejected = checkRun(values)
    if (rejected !== undefined) return { rejected }
    const json = (name: string) => jsonOf(values.get(name), limits)
    const row = new Map<string, TableValue>(values)
    for (const name of ['input', 'scores', 'metrics']) row.delete(name)
    for (const name of ['output', 'expected', 'error', 'metadata', 'tags', 'span_attributes', 'origin'])
      if (row.has(name)) row.set(name, json(name) ?? '')
    // The id of a dataset record is the same in all experiments, and for all trials.
    const recordId = textOf(values.get('dataset_record_id')) || originId(json('origin'))
    if (recordId !== '') row.set('event_id', values.get('id') ?? '').set('id', recordId)
    row.delete('dataset_record_id')
    const errors = json('metadata')?.get('scorer_errors')
    return [
      ...expand('input', json('input')),
      ...row,
      ...readScores(json('scores'), errors),
      ...readMetrics(json('metrics')),
    ]
  }
}

/** The id of the dataset record that a row was copied from. Empty if it comes from elsewhere. */
function originId(origin: Json | undefined): string {
  return origin?.get('object_type')?.string === 'dataset' ? textOf(origin.get('id')) : ''
}

/** The scores, and the scorers that failed: they have no score, and their error is in the metadata. */
function* readScores(scores: Json | undefined, errors: Json | undefined): Generator<readonly [string, Json]> {
  yield* expand('scores', scores)
  for (const [name, message] of errors?.members ?? [])
    if (!scores?.get(name)) yield [`scores.${name}`, Json.object([['error', message]])]
}

/** Times are in seconds since 1970. */
function* readMetrics(metrics: Json | undefined): Generator<readonly [string, Json]> {
  if (!metrics) return
  const [start, end] = [metrics.get('start')?.number, metrics.get('end')?.number]
  const duration = metrics.get('duration')
  if (duration) yield ['metrics.duration', duration]
  else if (start !== undefined && end !== undefined) yield ['metrics.duration', Json.of(end - start)]
  const cost = metrics.get('estimated_cost')
  if (cost) yield ['metrics.estimated_cost', cost]
  yield ['metrics', metrics]
}

const rolesOf = columnRoles({
  id: 'id',
  input: 'input, input.*',
  output: 'output',
  expected: 'expected',
  error: 'error',
  score: 'scores.*',
  'latency:s': 'metrics.duration',
  'cost:usd': 'metrics.estimated_cost',
})

export const braintrust = presetImporter({
  name: 'braintrust',
  label: 'Braintrust',
  description: 'experiments from Braintrust as CSV or JSON, with input, output, scores and metrics',
  example: 'assay import experiment.json --variant support-bot',
  detects: isBraintrustTable,
  rows: { documents: ['events'], createMapper, ids: ['id'] },
  run: { id: ['experiment_id'], created_at: ['created'] },
  columns: (names) => new Map([...names.map((name) => [name, EXTRA] as const), ...rolesOf(names)]),
})
