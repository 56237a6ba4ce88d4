// Saves all answers of a review as a file: one line per answer.
import { assay } from '../../../api/client.ts'
import { csvOf, escapeFormula } from '../../../export/csv.ts'
import { saveFile } from '../../../export/save-rows.ts'
import { toast } from '../../../ui/messages/toasts.tsx'

export async function saveAnswers(id: string, format: 'csv' | 'json'): Promise<void> {
  try {
    const rows = await assay.listReviewRows(id)
    const answers = rows.flatMap(({ scenario_id, answers }) =>
      answers.map((answer) => ({ scenario_id, ...answer })),
    )
    const text =
      format === 'json' ? `${JSON.stringify(answers, undefined, 2)}\n` : csvOf(answers.map(toCells))
    saveFile(new Blob([text]), `${id.replace(/[^\w.-]+/g, '-')}-answers.${format}`)
  } catch (error) {
    toast(`Export failed. ${(error as Error).message}`)
  }
}

type Answer = Awaited<ReturnType<typeof assay.listReviewRows>>[number]['answers'][number]

function toCells({
  scenario_id,
  evaluator,
  by,
  is_decision,
  value,
  labels,
  note,
  answered_at,
}: Answer & {
  scenario_id: string
}) {
  return {
    scenario_id: escapeFormula(scenario_id),
    evaluator: escapeFormula(evaluator),
    by: escapeFormula(by),
    is_decision: String(is_decision),
    value: value === null ? null : typeof value === 'number' ? value : escapeFormula(String(value)),
    labels: escapeFormula(labels.join('; ')),
    note: escapeFormula(note),
    answered_at,
  }
}
