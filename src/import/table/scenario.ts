// Turns a table row into scenarios: one, or one per model if the table has columns of several.
import type { RecordLimits } from '../../json/records.ts'
import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { omissionNote, rejectionNote } from '../read-records.ts'
import { type ErrorParts, isRepetition, ScenarioBuilder } from '../scenario-builder.ts'
import { scenarioEvents } from '../tool-run.ts'
import { isMissing } from './cells.ts'
import type { Column } from './columns.ts'
import { describeSeveralOutputs, type TableMapping } from './mapping.ts'
import type { TableRow } from './rows.ts'

type Values = readonly (readonly [Column, Json])[]

export class RowScenarios {
  readonly #mapping: TableMapping
  readonly #providers: readonly string[]
  readonly #hasMembers: boolean
  /** Rows without any value of a model, by its index. */
  readonly #emptyCounts = new Map<number, number>()

  constructor(mapping: TableMapping) {
    this.#mapping = mapping
    this.#providers = mapping.providers
    this.#hasMembers = mapping.columns.some(({ provider }) => provider !== null)
  }

  *eventsOf(row: TableRow, values: Values, limits: RecordLimits): Generator<ImportEvent> {
    if (!this.#hasMembers) {
      yield* this.#scenarioEvents(row, values, limits)
      return
    }
    for (const [evaluation, provider] of this.#providers.entries()) {
      const own = values.filter(([column]) => column.provider === provider)
      if (own.every(([, value]) => value.isNull || isMissing(value.plain.trim())))
        this.#emptyCounts.set(evaluation, (this.#emptyCounts.get(evaluation) ?? 0) + 1)
      else {
        const shared = values.filter(([column]) => column.provider === null || column.provider === provider)
        yield* this.#buildEvents(row, shared, limits, evaluation)
      }
    }
  }

  /** Rows that a model has no values for are not in its evaluation. */
  *notes(): Generator<ImportEvent> {
    for (const [evaluation, count] of this.#emptyCounts) {
      const rows = count === 1 ? '1 row has' : `${count} rows have`
      const detail = `${rows} no values of '${this.#providers[evaluation]}', so its evaluation does not contain them.`
      yield omissionNote('', detail)
    }
  }

  *#scenarioEvents(row: TableRow, values: Values, limits: RecordLimits): Generator<ImportEvent> {
    const outputNames = values.filter(([{ role }]) => role === 'output').map(([{ name }]) => name)
    if (outputNames.length > 1) {
      yield rejectionNote(row, '', describeSeveralOutputs(outputNames))
      return
    }
    const [, model] = values.find(([{ role }]) => role === 'provider') ?? []
    const evaluation = this.#mapping.providerIndex(model?.plain.trim() ?? '')
    if (this.#providers.length > 0 && evaluation === undefined) {
      const detail = 'The row does not name its model in the column with the role provider.'
      yield rejectionNote(row, '', detail)
    } else yield* this.#buildEvents(row, values, limits, evaluation)
  }

  *#buildEvents(
    row: TableRow,
    values: Values,
    limits: RecordLimits,
    evaluation: number | undefined,
  ): Generator<ImportEvent> {
    const builder = buildScenario(row.index + 1, values, this.#mapping.repeatsIds)
    if (row.repeat) {
      builder.sample = row.repeat.sample
      builder.repetition = row.repeat.repetition
    }
    yield* scenarioEvents(builder, row, limits, evaluation === undefined ? {} : { evaluation })
  }
}

/**
 * Values that do not fit the field of their role go to `extra`. `repeatsIds`: the rows with one id are repetitions of a sample.
 */
function buildScenario(
  row: number,
  values: Iterable<readonly [Column, Json]>,
  repeatsIds = false,
): ScenarioBuilder {
  const builder = new ScenarioBuilder(String(row), true)
  let [output, error]: [Json | undefined, ErrorParts | undefined] = [undefined, undefined]
  const measurements: { cost?: Json; latency?: Json } = {}
  const results: [string, Json][] = []
  const reasons = new Map<string, [Column, Json]>()
  /** The evaluators whose result has a scale. */
  const ratings = new Set<string>()
  for (const [column, value] of values) {
    const { role, name } = column
    const key = column.key ?? name
    if (role === 'provider') continue
    if (role === 'input') builder.addInput(key, value)
    else if (role === 'output') output = value
    else if (role === 'expected') {
      if (!value.isNull) builder.addCorrectAnswer(key, value)
    } else if (role === 'score') {
      results.push([key, value])
      if (column.type === 'rating' && value.get('scale')) ratings.add(key)
    } else if (role === 'reason' && !reasons.has(key)) reasons.set(key, [column, value])
    else if (role === 'id' && isUsableId(value)) {
      builder.id = value.plain
      builder.hasGeneratedId = false
    } else if ((role === 'cost' || role === 'latency') && Number.isFinite(value.number))
      measurements[role] = value
    else if (role === 'error' && parseError(value)) error = parseError(value)
    else if (role === 'is_pinned' && value.boolean !== undefined) builder.is_pinned = value.boolean
    else if (role === 'repetition' && isRepetition(value.number)) builder.repetition = value.number
    else if (role === 'note' && value.string !== undefined) builder.note = value.string
    else if (value.text !== '""') builder.addExtra(name, value)
  }
  if (repeatsIds && !builder.hasGeneratedId && builder.repetition !== undefined) {
    builder.sample = builder.id
    if (builder.repetition > 1) builder.id = `${builder.sample} #${builder.repetition}`
  }
  for (const [evaluator, value] of results) {
    const reason = undefinedIfNull(reasons.get(evaluator)?.[1])
    if (ratings.has(evaluator)) {
      builder.addResult(evaluator, {
        value: value.get('value'),
        reason,
        extra: [['scale', value.get('scale')]],
      })
      reasons.delete(evaluator)
      continue
    }
    // An object with an error is an evaluator that failed.
    const evaluatorError = value.isObject ? parseError(value.get('error') ?? Json.of(null)) : undefined
    if (evaluatorError)
      builder.addResult(evaluator, { value: value.get('value'), error: evaluatorError, reason })
    else builder.addResult(evaluator, { value, reason })
    reasons.delete(evaluator)
  }
  for (const [{ name }, value] of reasons.values()) builder.addExtra(name, value)
  // An empty output together with an error counts as no output.
  const value = error && output && (output.isNull || output.string === '') ? undefined : output
  if (output || error || measurements.cost || measurements.latency)
    builder.addOutput({ value, error, ...measurements })
  return builder
}

function undefinedIfNull(value: Json | undefined): Json | undefined {
  return value?.isNull ? undefined : value
}

function isUsableId(value: Json): boolean {
  return value.number !== undefined || (value.string ?? '') !== ''
}

function parseError(value: Json): ErrorParts | undefined {
  if (value.isNull || value.boolean === false || value.text === '[]' || value.text === '{}') return undefined
  const message = value.string ?? value.get('message')?.string ?? value.text
  if (message.trim() === '') return undefined
  const stacktrace = value.get('stacktrace')?.string
  return { message, stacktrace }
}
