// Imports Phoenix experiments, as returned by GET /v1/experiments/{id}/json: one record per run of an example.
import type { Json } from '../../json/value.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { objectEvents, readObjects, readRecords, rejectionNote } from '../read-records.ts'
import { isRepetition, ScenarioBuilder } from '../scenario-builder.ts'
import type { Source } from '../source.ts'
import { describeRun, runEvents, SampleOrder, scenarioEvents, UniqueIds } from '../tool-run.ts'
import { errorOf, hasAny, unusedMembers } from '../values.ts'

const DISTINCTIVE_MEMBERS = ['repetition_number', 'reference_output', 'annotations']
const USED_MEMBERS = new Set([
  'example_id',
  'repetition_number',
  'input',
  'reference_output',
  'output',
  'error',
  'latency_ms',
  'annotations',
])
const RESULT_MEMBERS = new Set(['name', 'score', 'error', 'explanation'])

export const phoenix: Importer = {
  name: 'phoenix',
  label: 'Phoenix',
  description: 'experiments from Phoenix as JSON, with example_id and annotations',
  docs: 'how-to/import-phoenix.md',
  reference: 'reference/imports/phoenix.md',
  example: 'assay import nightly-0412.json --variant support-bot',

  detects({ jsonPreview }) {
    if (!jsonPreview?.names.includes('example_id')) return false
    return DISTINCTIVE_MEMBERS.some((name) => jsonPreview.names.includes(name))
  },

  async open(source, options) {
    return {
      created_at: await findFirstStart(source, options),
      async *events(created_at) {
        yield* runEvents(await describeRun(source, { source: 'phoenix', created_at }, options), options)
        const [examples, ids] = [new SampleOrder(), new UniqueIds()]
        yield* objectEvents(readRecords(source, options.limits), function* (row, record) {
          if (!hasAny(row, 'example_id', 'input', 'output', 'error', 'annotations')) {
            const detail = 'This record is not a run of an experiment: it has no example_id and no output.'
            return yield rejectionNote(record, '', detail)
          }
          const builder = buildScenario(row, record.index)
          const order = examples.sortKey(row.get('example_id')?.plain ?? builder.id, builder.repetition ?? 1)
          builder.id = ids.makeUnique(builder.id)
          yield* scenarioEvents(builder, record, options.limits, { order })
        })
      },
    }
  },
}

/** The earliest start time. Runs are sorted by example, not by time. */
async function findFirstStart(source: Source, options: ImportOptions): Promise<string | undefined> {
  let earliest: number | undefined
  for await (const { row } of readObjects(readRecords(source, options.limits))) {
    const start = Date.parse(row.get('start_time')?.string ?? '')
    if (!Number.isNaN(start) && !(earliest !== undefined && earliest <= start)) earliest = start
  }
  return earliest === undefined ? undefined : new Date(earliest).toISOString()
}

function buildScenario(row: Json, index: number): ScenarioBuilder {
  const exampleId = row.get('example_id')?.plain
  const example = exampleId ?? String(index + 1)
  const repetition = row.get('repetition_number')?.number
  const isValidRepetition = isRepetition(repetition)
  // The id of the first run of an example does not depend on the number of repetitions.
  const builder = new ScenarioBuilder(
    isValidRepetition && repetition > 1 ? `${example}:${repetition}` : example,
    exampleId === undefined,
  )
  if (isValidRepetition) {
    builder.sample = exampleId
    builder.repetition = repetition
  } else builder.addExtra('repetition_number', row.get('repetition_number'))

  builder.addInputs('input', row.get('input'))
  addAnswers(builder, row.get('reference_output'))
  const latencyMs = row.get('latency_ms')
  builder.addNonNumbers({ latency_ms: latencyMs })
  builder.addOutput({ value: row.get('output'), error: errorOf(row.get('error')), latencyMs })
  builder.addNamed('annotations', row.get('annotations'), (name, annotation) =>
    addResult(builder, name, annotation),
  )
  builder.addUnusedMembers(row, USED_MEMBERS)
  return builder
}

function addAnswers(builder: ScenarioBuilder, reference: Json | undefined): void {
  if (!reference?.isObject) {
    if (reference) builder.addCorrectAnswer('reference_output', reference)
    return
  }
  for (const [key, value] of reference.members) if (!value.isNull) builder.addCorrectAnswer(key, value)
}

/** The score has precedence over the label. Without both, the run was not scored. */
function addResult(builder: ScenarioBuilder, name: string, annotation: Json): void {
  const score = annotation.get('score')
  const value = score ?? annotation.get('label')
  const extra = unusedMembers(annotation, RESULT_MEMBERS).filter(
    ([member, { text }]) => text !== '{}' && (member !== 'label' || score !== undefined),
  )
  const error = errorOf(annotation.get('error'))
  builder.addResult(name, { value, error, reason: annotation.get('explanation'), extra })
}
