// Writes and deletes the rows of the tables that are derived from scenarios.
import type { Batch, Connection, Statement, Transaction, Value } from '../dialect/dialect.ts'
import { insertStatement } from '../dialect/insert.ts'
import { inLists } from '../reads/in-list.ts'
import { storedSearchText } from '../search/search-text.ts'
import type { ColumnOrdinals } from './columns.ts'
import {
  ANSWER_COLUMNS,
  MEASURE_COLUMNS,
  NAMED_TABLES,
  REPETITION_COLUMNS,
  type ScenarioColumns,
} from './derived-columns.ts'
import type { ScenarioRow } from './row.ts'

export type PositionedRow = ScenarioRow & { position: number }

const INSERT_SEARCH = insertStatement('search', ['evaluation', 'position', 'text'])
const INSERT_MEASURE = insertStatement('measure', ['evaluation', 'position', ...MEASURE_COLUMNS])
const INSERT_REPETITION = insertStatement('repetition', ['evaluation', 'position', ...REPETITION_COLUMNS])
export const INSERT_ANSWERS = insertStatement('answer', ['evaluation', 'position', ...ANSWER_COLUMNS])
const insertNamed = ({ table, ordinal, columns }: (typeof NAMED_TABLES)['results' | 'inputs']) =>
  insertStatement(table, ['evaluation', 'position', ordinal, ...columns])
const INSERT_NAMED = {
  results: insertNamed(NAMED_TABLES.results),
  inputs: insertNamed(NAMED_TABLES.inputs),
}

/** Writes the derived tables for stored scenarios whose column names are already in `ordinals`. */
export async function insertDerived(
  transaction: Transaction,
  evaluation: number,
  ordinals: ColumnOrdinals,
  rows: PositionedRow[],
): Promise<void> {
  const named = (['results', 'inputs'] as const).map((list): Batch => {
    const { kind } = NAMED_TABLES[list]
    const namedRows: Value[][] = []
    for (const row of rows)
      for (const values of row[list]) {
        const ordinal = ordinals[kind].get(String(values[0])) ?? null
        namedRows.push([evaluation, row.position, ordinal, ...values.slice(1)])
      }
    return [INSERT_NAMED[list], namedRows]
  })
  const { storesSearchText } = transaction.sql
  const repetitions = rows.flatMap(({ position, repetition }) =>
    repetition.length > 0 ? [[evaluation, position, ...repetition]] : [],
  )
  const answers = rows.flatMap(({ position, answer }) =>
    answer.length > 0 ? [[evaluation, position, ...answer]] : [],
  )
  await transaction.runMany(
    ...(storesSearchText ? [searchBatch(evaluation, rows)] : []),
    [INSERT_MEASURE, rows.map(({ position, measure }) => [evaluation, position, ...measure])],
    ...(repetitions.length > 0 ? [[INSERT_REPETITION, repetitions] satisfies Batch] : []),
    ...(answers.length > 0 ? [[INSERT_ANSWERS, answers] satisfies Batch] : []),
    ...named,
  )
}

function searchBatch(evaluation: number, rows: PositionedRow[]): Batch {
  const values = rows.map(({ position, body }) => [evaluation, position, storedSearchText(body)])
  return [INSERT_SEARCH, values]
}

/** Positions and ordinals per DELETE statement. */
const [MAX_POSITIONS, MAX_ORDINALS] = [200, 1000]

/** Deletes the derived rows of scenarios whose column names are in `ordinals`. */
export async function deleteDerived(
  transaction: Transaction,
  evaluation: number,
  ordinals: ColumnOrdinals,
  rows: { position: number; names: ScenarioColumns }[],
): Promise<void> {
  const positions = rows.map(({ position }) => position)
  const tables = ['measure', 'repetition', 'answer', ...searchTables(transaction)]
  for (const table of tables) await deleteAtPositions(transaction, table, evaluation, positions)
  for (const { table, ordinal, kind } of Object.values(NAMED_TABLES)) {
    const names = new Set(rows.flatMap((row) => row.names[kind]))
    const usedOrdinals = [...names].flatMap((name) => ordinals[kind].get(name) ?? [])
    for (const { placeholders, values } of inLists(usedOrdinals, MAX_ORDINALS))
      await deleteAtPositions(transaction, table, evaluation, positions, [
        `${ordinal} IN (${placeholders}) AND`,
        ...values,
      ])
  }
}

/** Tables with at most one row for each scenario. */
const positionTables = (connection: Connection) => [
  ...searchTables(connection),
  ...['measure', 'repetition', 'answer', 'generated_id', 'first_digest', 'scenario'],
]

/** Only PostgreSQL stores search texts. */
const searchTables = ({ sql }: Connection) => (sql.storesSearchText ? ['search'] : [])

/** All tables with rows for scenarios. */
export const scenarioTables = (connection: Connection) => [
  ...positionTables(connection),
  ...Object.values(NAMED_TABLES).map(({ table }) => table),
]

/** Deletes scenarios with their derived rows, from a position to the one before `end`. */
export async function deletePositions(
  transaction: Transaction,
  evaluation: number,
  ordinals: ColumnOrdinals,
  start: number,
  end: number,
): Promise<void> {
  const isInRange = 'position >= ? AND position < ?'
  const named = Object.values(NAMED_TABLES).flatMap(({ table, ordinal, kind }) =>
    [...inLists([...ordinals[kind].values()], MAX_ORDINALS)].map(({ placeholders, values }): Statement => {
      const isNamed = `${ordinal} IN (${placeholders})`
      return [
        `DELETE FROM ${table} WHERE evaluation = ? AND ${isNamed} AND ${isInRange}`,
        evaluation,
        ...values,
      ]
    }),
  )
  const others = positionTables(transaction).map(
    (table): Statement => [`DELETE FROM ${table} WHERE evaluation = ? AND ${isInRange}`, evaluation],
  )
  // The statements are sent without waiting in between.
  await Promise.all(
    [...named, ...others].map(([statement, ...values]) => transaction.run(statement, ...values, start, end)),
  )
}

/** Deletes the rows of a table at these positions. `condition` is SQL that is added to the condition. */
export async function deleteAtPositions(
  transaction: Transaction,
  table: string,
  evaluation: number,
  positions: number[],
  [condition, ...conditionValues]: Statement = [''],
): Promise<void> {
  for (const { placeholders, values } of inLists(positions, MAX_POSITIONS))
    await transaction.run(
      `DELETE FROM ${table} WHERE evaluation = ? AND ${condition} position IN (${placeholders})`,
      evaluation,
      ...conditionValues,
      ...values,
    )
}
