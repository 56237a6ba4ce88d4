// The joined rows of the view as a file: all of them, whole.
import { ExportMenu as Exporting } from '../parts/export-menu.tsx'
import { classesOf, rowsIn } from './classes.ts'
import { inputNames } from './columns.ts'
import { estimatedSize, saveView } from './export.ts'
import type { Shown } from './shown.ts'

export function ExportMenu({ shown }: { shown: Shown }) {
  const { question, comparison } = shown
  const classes = classesOf(shown)
  const rows = classes && rowsIn(classes, question.show)
  const names = {
    evaluations: question.evaluations,
    inputs: inputNames(comparison),
    evaluators: [
      ...new Set(comparison?.candidates.flatMap(({ evaluators }) => evaluators.map(({ name }) => name))),
    ],
  }
  return (
    <Exporting
      rows={rows}
      estimate={(_format, signal) => estimatedSize(question, { rows: rows ?? 0, signal })}
      save={(saving) => saveView(question, names, saving)}
    />
  )
}
