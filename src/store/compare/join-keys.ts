// The keys that rows can be joined by, and the columns that contain them.
import { Problem } from '../../errors.ts'
import { toStorableText } from '../../json/storable-text.ts'
import { quoteNames } from '../../schema/validation/truncate.ts'
import type { Connection, Value } from '../dialect/dialect.ts'
import { getColumnOrdinals } from '../scenarios/columns.ts'
import { hasGeneratedIds, hasGivenId } from '../scenarios/generated-ids.ts'
import { firstScenarios, hasSamples, type StoredScenarios } from './rows/rows.ts'

/** The keys that `auto` tries, in this order. */
export const AUTO_KEYS = ['id', 'input', 'position'] as const
export type JoinKey = (typeof AUTO_KEYS)[number] | `input.${string}`

/** An evaluation to join. */
export interface JoinedEvaluation extends StoredScenarios {
  /** The number of rows. Smaller than `count` if scenarios are repeats of the same row. */
  rowCount: number
}

export function hasRepeats({ count, rowCount }: JoinedEvaluation): boolean {
  return count !== rowCount
}

export function hasUnusedPositions({ count, positionCount }: StoredScenarios): boolean {
  return count !== positionCount
}

/** Throws invalid-request if the text is not a join key. */
export function parseJoinKey(text: string): JoinKey {
  if (text === 'id' || text === 'input' || text === 'position' || text.startsWith('input.'))
    return text as JoinKey
  throw new Problem(
    'invalid-request',
    `'by' must be auto, id, input, position or input.<name>, not '${text}'.`,
  )
}

/** The input that the key names, if it names one. */
export function inputName(joinKey: JoinKey): string | undefined {
  return joinKey.startsWith('input.') ? joinKey.slice('input.'.length) : undefined
}

/** Where the join keys of one evaluation are stored. */
export interface JoinColumn {
  table: string
  column: string
  /** SQL condition for the rows of the evaluation. `alias` is the alias of `table` in the statement. */
  where: (alias: string) => string
  /** The values for the placeholders in `where`. */
  values: Value[]
  /** Whether an index covers the join keys. */
  isIndexed: boolean
  /** Whether each row has a different join key. */
  isUnique: boolean
  /** Whether the join keys are the ids of all scenarios. Their index does not contain positions. */
  isScenarioId: boolean
}

/**
 * The join columns of both evaluations. For inputs, `hashColumn` selects the hash: `text_hash` treats 1 and "1" as equal.
 * Throws invalid-request if an evaluation lacks the named input.
 */
export async function getJoinColumns(
  connection: Connection,
  baseline: JoinedEvaluation,
  candidate: JoinedEvaluation,
  joinKey: JoinKey,
  hashColumn: 'hash' | 'text_hash' = 'hash',
): Promise<[JoinColumn, JoinColumn]> {
  const evaluations = [baseline, candidate]
  const columns = await chooseColumns(connection, evaluations, joinKey, hashColumn)
  if (joinKey === 'position') return columns as [JoinColumn, JoinColumn]
  return columns.map((column, index) => {
    const evaluation = evaluations[index] as JoinedEvaluation
    return hasRepeats(evaluation) ? ofFirstScenarios(column, evaluation.key) : column
  }) as [JoinColumn, JoinColumn]
}

/** A row has the join key of its first scenario. */
function ofFirstScenarios(column: JoinColumn, evaluation: number): JoinColumn {
  const where = (alias: string) =>
    `${column.where(alias)} AND ${alias}.position IN (${firstScenarios(evaluation)})`
  return { ...column, where, isIndexed: false, isScenarioId: false }
}

async function chooseColumns(
  connection: Connection,
  evaluations: JoinedEvaluation[],
  joinKey: JoinKey,
  hashColumn: 'hash' | 'text_hash',
): Promise<JoinColumn[]> {
  const input = inputName(joinKey)
  if (input !== undefined) {
    const ordinals = await getInputOrdinals(connection, evaluations, input)
    return evaluations.map(({ key }, index) => namedInputColumn(key, ordinals[index] ?? 0, hashColumn))
  }
  if (joinKey === 'id') {
    const columns: JoinColumn[] = []
    for (const evaluation of evaluations) columns.push(await idColumn(connection, evaluation))
    return columns
  }
  const needsRanks = evaluations.some((one) => hasUnusedPositions(one) || hasRepeats(one))
  if (joinKey === 'position' && needsRanks) return evaluations.map(rankColumn)
  const isInput = joinKey === 'input'
  return evaluations.map(({ key }) => ({
    table: 'measure',
    column: isInput ? `input_${hashColumn}` : joinKey,
    where: (alias) => `${alias}.evaluation = ?`,
    values: [key],
    isIndexed: hashColumn === 'hash',
    isUnique: !isInput,
    isScenarioId: false,
  }))
}

/** The number of the row in the order of positions, without unused positions and repeats. */
function rankColumn(evaluation: JoinedEvaluation): JoinColumn {
  const { key } = evaluation
  const isFirst = hasRepeats(evaluation)
    ? ` WHERE evaluation = ${key} AND position IN (${firstScenarios(key)})`
    : ''
  return {
    table: `(SELECT evaluation, position,
      row_number() OVER (PARTITION BY evaluation ORDER BY position) AS row_rank FROM measure${isFirst})`,
    column: 'row_rank',
    where: (alias) => `${alias}.evaluation = ?`,
    values: [key],
    isIndexed: false,
    isUnique: true,
    isScenarioId: false,
  }
}

/** The id of the sample, or else of the scenario. */
const ROW_IDS = `(SELECT scenario.evaluation, scenario.position, coalesce(repetition.sample, scenario.id) AS id
  FROM scenario LEFT JOIN repetition
    ON repetition.evaluation = scenario.evaluation AND repetition.position = scenario.position)`

/** Generated ids are excluded: they say nothing about which rows belong together. */
async function idColumn(connection: Connection, { key }: JoinedEvaluation): Promise<JoinColumn> {
  const excludesGenerated = await hasGeneratedIds(connection, key)
  const isSampled = await hasSamples(connection, key)
  return {
    table: isSampled ? ROW_IDS : 'scenario',
    column: 'id',
    where: (alias) => `${alias}.evaluation = ?${excludesGenerated ? ` AND ${hasGivenId(alias)}` : ''}`,
    values: [key],
    isIndexed: !isSampled,
    isUnique: !isSampled,
    isScenarioId: !isSampled && !excludesGenerated,
  }
}

function namedInputColumn(evaluation: number, ordinal: number, column: string): JoinColumn {
  return {
    table: 'input',
    column,
    where: (alias) => `${alias}.evaluation = ? AND ${alias}.input = ?`,
    values: [evaluation, ordinal],
    isIndexed: false,
    isUnique: false,
    isScenarioId: false,
  }
}

/** The ordinal of the named input in each evaluation. Throws invalid-request if one lacks it. */
export async function getInputOrdinals(
  connection: Connection,
  evaluations: { key: number }[],
  name: string,
): Promise<number[]> {
  const inputs: Map<string, number>[] = []
  for (const { key } of evaluations) inputs.push((await getColumnOrdinals(connection, key)).input)
  const ordinals = inputs.flatMap((inputOrdinals) => inputOrdinals.get(toStorableText(name)) ?? [])
  if (ordinals.length === inputs.length) return ordinals
  const [baselineInputs, candidateInputs] = inputs
  const commonInputs = [...(baselineInputs?.keys() ?? [])].filter((input) => candidateInputs?.has(input))
  const hint =
    commonInputs.length === 0
      ? 'They have no input in common'
      : `The inputs that they have in common: ${quoteNames(commonInputs)}`
  throw new Problem('invalid-request', `Not all evaluations have an input '${name}' to join by. ${hint}.`)
}
