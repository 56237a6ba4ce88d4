// Counts the labels of an evaluator in both evaluations of a comparison: text results, which have no mean and no order.
import type { ComparedEvaluator } from '../../../schema/comparisons.ts'
import { inList } from '../../reads/in-list.ts'
import type { JoinedColumns } from '../joined-columns.ts'
import { readPairs } from '../paired-statistics.ts'
import { NO_TEXT } from '../side-columns.ts'
import type { Side } from '../sides.ts'

/** More different texts, or longer ones, are explanations rather than labels. */
const MAX_LABELS = 50
const MAX_LABEL_CHARACTERS = 200

type Labels = NonNullable<ComparedEvaluator['labels']>

/** The candidate is counted from 0. Null if the evaluator does not have labels in both evaluations. */
export async function countLabels(
  columns: JoinedColumns,
  candidate: number,
  evaluator: string,
): Promise<Labels | null> {
  const side = columns.sides[candidate + 1] as Side
  const baseTexts = await columns.textGroups(columns.baseline, evaluator)
  const texts = await columns.textGroups(side, evaluator)
  if (!baseTexts || !texts) return null
  const { rows, candidatePositions } = await readPairs(columns, candidate)
  const candidateRows = rows.map((row) => candidatePositions[row] as number)
  const baseCounts = await countTexts(columns, columns.baseline, evaluator, baseTexts, rows)
  const counts = await countTexts(columns, side, evaluator, texts, candidateRows)
  if (!baseCounts || !counts) return null
  const labels = new Set([...baseCounts.keys(), ...counts.keys()])
  return [...labels]
    .map((label) => ({ label, base: baseCounts.get(label) ?? 0, candidate: counts.get(label) ?? 0 }))
    .sort((a, b) => b.base - a.base || b.candidate - a.candidate || (a.label < b.label ? -1 : 1))
}

/** How often each label is a result in these rows, which are given by their first positions. Undefined without labels. */
async function countTexts(
  columns: JoinedColumns,
  side: Side,
  evaluator: string,
  textGroups: Int32Array,
  rows: Int32Array,
): Promise<Map<string, number> | undefined> {
  const { firstPositions } = await columns.rows(side)
  const isIncluded = new Uint8Array(side.positionCount)
  for (const row of rows) isIncluded[row] = 1
  const counts = new Map<number, number>()
  for (const [position, group] of textGroups.entries()) {
    if (group === NO_TEXT || isIncluded[firstPositions?.[position] ?? position] !== 1) continue
    counts.set(group, (counts.get(group) ?? 0) + 1)
  }
  if (counts.size === 0 || counts.size > MAX_LABELS) return undefined
  const texts = await readTexts(columns, side, evaluator, [...counts.keys()])
  return texts.length === counts.size
    ? new Map(texts.map(({ position, text }) => [text, counts.get(position) as number]))
    : undefined
}

/** Omits long texts. */
function readTexts(
  { connection }: JoinedColumns,
  { key, ordinals }: Side,
  evaluator: string,
  positions: number[],
): Promise<{ position: number; text: string }[]> {
  const { placeholders, values } = inList(positions)
  return connection.all(
    `SELECT position, text FROM result
      WHERE evaluation = ? AND evaluator = ? AND position IN (${placeholders}) AND length(text) <= ?`,
    key,
    ordinals.get(evaluator) as number,
    ...values,
    MAX_LABEL_CHARACTERS,
  )
}
