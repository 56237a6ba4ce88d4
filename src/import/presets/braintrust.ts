// Imports experiments of Braintrust: the CSV and JSON exports of the page, and the events that its API returns.
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
} from './rows.ts'

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

function openEvents(source: Source, options: ImportOptions): Promise<TableReader> {
  return openMappedTable(source, options, {
    documents: ['events'],
    createMapper,
    ids: ['id'],
  })
}

export const braintrust = presetImporter({
  name: 'braintrust',
  label: 'Braintrust',
  description: 'experiments from Braintrust as CSV or JSON, with input, output, scores and metrics',
  docs: 'how-to/import-presets.md',
  reference: 'reference/imports/presets.md',
  example: 'assay import experiment.json --variant support-bot',
  detects: isBraintrustTable,
  openTable: openEvents,
  columns(names) {
    const columns = rolesByName(
      names,
      {
        id: { role: 'id' },
        input: { role: 'input' },
        output: { role: 'output' },
        expected: { role: 'expected' },
        error: { role: 'error' },
        'metrics.duration': { role: 'latency', type: 's' },
        'metrics.estimated_cost': { role: 'cost', type: 'usd' },
      },
      { 'input.': { role: 'input' }, 'scores.': { role: 'score' } },
    )
    for (const name of names) if (!columns.has(name)) columns.set(name, { role: 'extra' })
    return columns
  },
  async describeRun(source, options) {
    const row = await readFirstRow(await openEvents(source, options), options)
    const id = textOf(row.get('experiment_id'))
    const created_at = textOf(row.get('created'))
    return { ...(id !== '' && { id }), ...(created_at !== '' && { created_at }) }
  },
})
