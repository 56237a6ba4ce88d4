// Turns a row into scenarios: one, or one per model if the table has columns of several.
import type { RecordLimits } from '../../json/records.ts'
import type { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { omissionNote, rejectionNote } from '../read-records.ts'
import { scenarioEvents } from '../tool-run.ts'
import { isMissing } from './cells.ts'
import type { Column } from './columns.ts'
import { describeSeveralOutputs, type TableMapping } from './mapping.ts'
import type { TableRow } from './rows.ts'
import { buildScenario } from './scenario.ts'

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
