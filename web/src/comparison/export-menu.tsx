// The joined rows of the view as a file: all of them, whole.
import { useQueryClient } from '@tanstack/react-query'
import { ExportMenu as Exporting } from '../parts/export-menu.tsx'
import { classesOf, rowsIn } from './classes.ts'
import { estimatedSize, saveView } from './export.ts'
import { comparisonQuestion } from './questions.ts'
import { namesOf, type Shown } from './shown.ts'

export function ExportMenu({ shown }: { shown: Shown }) {
  const { question } = shown
  const queries = useQueryClient()
  const classes = classesOf(shown)
  const rows = classes && rowsIn(classes, question.show)
  return (
    <Exporting
      rows={rows}
      estimate={(_format, signal) => estimatedSize(question, { rows: rows ?? 0, signal })}
      save={async (saving) => {
        const comparison = await queries.ensureQueryData(comparisonQuestion(question))
        await saveView(question, { ...namesOf(comparison), evaluations: question.evaluations }, saving)
      }}
    />
  )
}
