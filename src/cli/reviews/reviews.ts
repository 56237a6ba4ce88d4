// assay review …: creates, lists and shows reviews, and exports their answers.
import { UsageError } from '../../errors.ts'
import { ANSWER_TYPES } from '../../schema/reviews/answers.ts'
import type { Review, ReviewReport, ReviewRowAnswers } from '../../schema/reviews/reviews.ts'
import { formatCsvLine } from '../../serialize/csv.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Command } from '../command.ts'
import { formatTable, print, sanitizeLine, truncateLine } from '../output/terminal-text.ts'
import { withTarget } from '../target/open-target.ts'
import { resolveId } from '../target/resolve-id.ts'
import { readRowSelection, resolveBaseline } from '../target/row-selection.ts'
import { checkNames } from '../validation.ts'
import { reportText } from './report-text.ts'

const MAX_CELL_LENGTH = 40

export const createReview: Command = {
  argumentCount: [1, 1],
  async run(settings, [idOrName = '']) {
    checkNames(settings, 'name')
    const { evaluator, label, question, name, review: id, sample_rows, seed, json } = settings
    if (evaluator === undefined)
      throw new UsageError(
        'Name the evaluator of the answers with --evaluator, such as --evaluator human_verdict.',
      )
    const type = readType(settings)
    if (type === 'preference' && settings.base === undefined)
      throw new UsageError('A preference compares two evaluations. Name the other one with --base.')
    const isUsed = type !== 'preference' || settings.filter.some((filter) => filter.startsWith('delta.'))
    const rows = readRowSelection(isUsed ? settings : { ...settings, base: undefined })
    const report = await withTarget(settings, async (target) => {
      const evaluation = await resolveId(target, 'evaluation', idOrName)
      const { parameters, base } = (rows && (await resolveBaseline(target, rows))) ?? {}
      const review = {
        id: id ?? null,
        name: name ?? null,
        filters: parameters ?? null,
        ...(sample_rows !== undefined && { sample: { rows: sample_rows, seed } }),
        reviewers_per_row: settings.reviewers_per_row,
        overlap: settings.second_reviewer ?? null,
        questions: [{ evaluator, type, labels: label, ...(question !== undefined && { question }) }],
      }
      if (type !== 'preference') return target.createReview(evaluation, { ...review, base_id: base ?? null })
      const compared = base ?? (await resolveId(target, 'evaluation', settings.base ?? ''))
      return target.createComparisonReview({ ...review, evaluations: [compared, evaluation] })
    })
    if (json) return print(JSON.stringify(report, null, 2))
    print(sanitizeLine(report.id))
    process.stderr.write(
      `${report.progress.rows} rows. Create a link per reviewer with assay share --review ${sanitizeLine(report.id)} --name NAME.\n`,
    )
  },
}

function readType({ type }: Settings) {
  const known = ANSWER_TYPES.find((name) => name === type)
  if (known) return known
  throw new UsageError(`--type is '${type}', which is not one of ${ANSWER_TYPES.join(', ')}.`)
}

export const listReviews: Command = {
  argumentCount: [1, 1],
  async run(settings, [idOrName = '']) {
    const text = await withTarget(settings, async (target) =>
      target.listReviews(await resolveId(target, 'evaluation', idOrName)),
    )
    if (settings.json) return print(text)
    const reviews = JSON.parse(text) as Review[]
    if (reviews.length === 0) return print('The evaluation has no reviews.')
    const rows = reviews.map(({ id, created_at, questions, name }) => [
      sanitizeLine(id),
      created_at,
      truncateLine(questions.map(({ evaluator }) => evaluator).join(', '), MAX_CELL_LENGTH),
      truncateLine(name ?? '', MAX_CELL_LENGTH),
    ])
    print(formatTable([['ID', 'CREATED', 'EVALUATORS', 'NAME'], ...rows]))
  },
}

export const showReview: Command = {
  argumentCount: [1, 1],
  async run(settings, [id = '']) {
    const text = await withTarget(settings, (target) => target.readReview(id))
    if (settings.json) print(text)
    else print(reportText(JSON.parse(text) as ReviewReport))
  },
}

const FORMATS = ['json', 'ndjson', 'csv'] as const

export const exportReview: Command = {
  argumentCount: [1, 1],
  async run(settings, [id = '']) {
    const format = FORMATS.find((known) => known === (settings.format ?? 'json'))
    if (!format)
      throw new UsageError(`--format is '${settings.format}', which is not one of ${FORMATS.join(', ')}.`)
    const text = await withTarget(settings, (target) => target.readReview(id, 'rows'))
    const answers = (JSON.parse(text) as ReviewRowAnswers[]).flatMap(({ scenario_id, answers }) =>
      answers.map((answer) => ({ scenario_id, ...answer })),
    )
    if (format === 'csv') process.stdout.write(toCsv(answers))
    else if (format === 'ndjson')
      process.stdout.write(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''))
    else print(JSON.stringify(answers, null, 2))
  },
}

const COLUMNS = [
  ...(['scenario_id', 'evaluator', 'by', 'is_decision', 'value', 'labels', 'note', 'answered_at'] as const),
]

/** Labels are separated by semicolons. */
function toCsv(answers: ({ scenario_id: string } & ReviewRowAnswers['answers'][number])[]): string {
  const rows = answers.map((answer) =>
    COLUMNS.map((column) => {
      const value = answer[column]
      return Array.isArray(value) ? value.join('; ') : String(value ?? '')
    }),
  )
  return [[...COLUMNS], ...rows].map(formatCsvLine).join('')
}
