// A comparison for a terminal: the verdict, then a table for each candidate, then what to be wary of.
import type { Comparison } from '../schema/comparisons.ts'
import { HEADS, joinedText, tableOf, verdictOf } from './comparison-figures.ts'
import { visible } from './visible.ts'

export function comparisonText(comparison: Comparison): string {
  const [base] = comparison.evaluations
  const verdicts = comparison.candidates.map((candidate) => verdictOf(base?.id ?? '', candidate, visible))
  const tables = comparison.candidates.flatMap((candidate) => [
    '',
    `${visible(candidate.id)}: ${joinedText(comparison, candidate, visible)}`,
    ...aligned([HEADS, ...tableOf(candidate, visible)]),
  ])
  const warnings = comparison.warnings.map(({ detail }) => `Warning: ${visible(detail)}`)
  return [...verdicts, ...tables, ...(warnings.length === 0 ? [] : ['', ...warnings]), ''].join('\n')
}

/** The first and the last column begin together, the others end together. */
function aligned(rows: string[][]): string[] {
  const widths = HEADS.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))))
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - widthOf(cell))
        return column === 0 || column === HEADS.length - 1 ? cell + space : space + cell
      })
      .join('  ')
      .trimEnd(),
  )
}

function widthOf(text: string): number {
  return [...text].length
}
