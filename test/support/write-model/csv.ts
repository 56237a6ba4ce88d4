// The CSV texts that the model predicts.
import { type Raw, rawValue, type Tree } from './documents.ts'
import type { Evaluation, Variant } from './model.ts'

export function scenariosCsv({ scenarios, columnNames: columns }: Evaluation): string {
  const rows = scenarios.map(({ id, members }) => {
    const { inputs = [], outputs = [], correct_answers, results = [], is_pinned, note } = members
    const [output] = outputs
    const error = output?.result.error
    return {
      id: rawValue(id),
      inputs: byName(inputs, 'name', ({ value }) => value),
      answers: byName(Array.isArray(correct_answers) ? correct_answers : [], 'key', ({ value }) => value),
      results: byName(results, 'evaluator_config', ({ result }) => result.value),
      output: output?.result.value,
      end: [
        output?.cost,
        output?.latency,
        error && 'message' in error ? error.message : undefined,
        is_pinned,
        note,
      ],
    }
  })
  const names = (prefix: string, kind: keyof typeof columns) =>
    columns[kind].map((name) => `${prefix}.${name}`)
  const header = [
    'id',
    ...names('input', 'inputs'),
    'output',
    ...names('expected', 'answers'),
    ...names('score', 'results'),
    ...['cost', 'latency', 'error', 'is_pinned', 'note'],
  ]
  const lines = rows.map((row) => {
    const values = (kind: keyof typeof columns) => columns[kind].map((name) => row[kind].get(name))
    return [
      row.id,
      ...values('inputs'),
      row.output,
      ...values('answers'),
      ...values('results'),
      ...row.end,
    ].map(cell)
  })
  return [header, ...lines].map(csvLine).join('')
}

export function revisionsCsv(variant: Variant): string {
  const lines = variant.sortedRevisions().map(({ number, modifiedBy, config, created_at = '' }) => {
    const [, parameters = ''] = /^\{"parameters":(.*),"config_name":"c"\}$/s.exec(config.compact) ?? []
    return [String(number), cell(modifiedBy), 'c', parameters, created_at]
  })
  return [['revision', 'modified_by', 'config_name', 'parameters', 'created_at'], ...lines]
    .map(csvLine)
    .join('')
}

/** Values by name. Of several with the same name, the first counts. */
function byName<Element extends { [name: string]: Tree | undefined }>(
  elements: Element[],
  nameMember: string,
  value: (element: Element) => Raw | undefined,
): Map<string, Raw | undefined> {
  const values = new Map<string, Raw | undefined>()
  for (const element of elements) {
    const name = (element[nameMember] as Raw).value as string
    if (!values.has(name)) values.set(name, value(element))
  }
  return values
}

function cell(member: Raw | undefined): string {
  const value = member?.value ?? null
  if (member === undefined || value === null) return ''
  return typeof value === 'string' ? value.toWellFormed() : member.compact
}

function csvLine(cells: string[]): string {
  const quoted = cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
  return `${quoted.join()}\r\n`
}
