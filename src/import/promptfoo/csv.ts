// Reads the CSV files of promptfoo. Each row is a test, with a group of columns for every prompt and provider. The rows are
// converted to results as in JSON files.
import { UnreadableFile } from '../../errors.ts'
import type { RecordLimits } from '../../json/records.ts'
import { Json } from '../../json/value.ts'
import type { ImportEvent, RecordLocation } from '../../schema/import-events.ts'
import { detectHeader, parseNumber, readDataRows, readRows } from '../csv-rows.ts'
import { repairNote } from '../read-records.ts'
import type { Source } from '../source.ts'

/** The columns of one prompt and provider. */
interface OutputColumns {
  /** Where the output is. */
  index: number
  label: string
  provider: string | undefined
  /** Where the other columns are, if the file has them. */
  status: number | undefined
  score: number | undefined
  namedScores: number | undefined
  reason: number | undefined
  comment: number | undefined
}

interface Layout {
  delimiter: string
  names: string[]
  description: number | undefined
  vars: number[]
  outputs: OutputColumns[]
  /** Columns after all outputs. */
  rest: number[]
}

interface CsvResult {
  kind: 'result'
  row: Json
  place: RecordLocation
}

/** Results of one prompt: since 0.121, of the web page before, and of the CLI before. */
const STATUS_COLUMNS = ['Status', 'Score', 'Named Scores']
const REASON_COLUMNS = ['Grader Reason', 'Comment']
const PROVIDER_NAME = /^\[(.+?)\] (.*)$/s
const VERDICT_CELL = /^\[(PASS|FAIL|ERROR)\](?: \((-?[\d.]+|NaN|undefined)(?:, ([^\n]*))?\)(?:\n|$))?\s*/

export function isPromptfooCsv(source: Source): boolean {
  if (source.jsonPreview) return false
  const { names } = detectHeader(source) ?? { names: [] }
  const layout = parseLayout(',', names)
  if (!layout) return false
  const hasGroups = layout.outputs.some(({ reason }) => reason !== undefined)
  return hasGroups || /(?:^|[,;\t"\n])\[(?:PASS|FAIL|ERROR)\] \(/.test(source.head.toString())
}

/** Throws UnreadableFile. */
export async function readLayout(source: Source, limits: RecordLimits): Promise<Layout> {
  const delimiter = detectHeader(source)?.delimiter ?? ','
  for await (const row of readRows(source, delimiter, limits)) {
    if ('kind' in row) throw new UnreadableFile(row.detail, row.line)
    const layout = parseLayout(delimiter, row.cells)
    if (layout) return layout
    break
  }
  throw new UnreadableFile('The file has no column of a prompt and provider, such as [openai:gpt-5] short.')
}

/** What the header says, in the form of a JSON file. */
export function headOf({ outputs }: Layout): Json {
  const prompts = outputs.map(({ label, provider }) => ({ raw: label, label, provider }))
  return Json.object([['prompts', Json.of(prompts)]])
}

function parseLayout(delimiter: string, cells: string[]): Layout | undefined {
  const isAt = (index: number, names: string[]) =>
    names.every((name, offset) => cells[index + offset] === name)
  const hasStatus = cells.some((_, index) => isAt(index, STATUS_COLUMNS))
  const hasReason = cells.some((_, index) => isAt(index, REASON_COLUMNS))
  const outputs: OutputColumns[] = []
  const used = new Set<number>()
  for (let index = 0; index < cells.length; index += 1) {
    const name = removeFormulaMark(cells[index] as string)
    const isOutput = hasStatus
      ? isAt(index + 1, STATUS_COLUMNS)
      : hasReason
        ? isAt(index + 1, REASON_COLUMNS)
        : PROVIDER_NAME.test(name)
    if (!isOutput) continue
    let reason = index + (hasStatus ? STATUS_COLUMNS.length : 0) + 1
    while (cells[reason]?.startsWith('Metric: ')) reason += 1
    const hasOwnReason = isAt(reason, REASON_COLUMNS)
    const [, provider, label = name] = PROVIDER_NAME.exec(name) ?? []
    outputs.push({
      index,
      label,
      provider,
      status: hasStatus ? index + 1 : undefined,
      score: hasStatus ? index + 2 : undefined,
      namedScores: hasStatus ? index + 3 : undefined,
      reason: hasOwnReason ? reason : undefined,
      comment: hasOwnReason ? reason + 1 : undefined,
    })
    const end = hasOwnReason ? reason + REASON_COLUMNS.length : hasStatus ? reason : index + 1
    for (let column = index; column < end; column += 1) used.add(column)
  }
  const [first] = outputs
  if (!first) return undefined
  // Written if a test has a description.
  const description =
    (hasStatus || hasReason) && cells[0] === 'Description' && first.index > 0 ? 0 : undefined
  const others = [...cells.keys()].filter((index) => !used.has(index) && index !== description)
  const vars = others.filter((index) => index < first.index)
  return { delimiter, names: cells, description, vars, outputs, rest: others.slice(vars.length) }
}

/** The results of all prompts and providers, test by test. */
export async function* readResults(
  source: Source,
  layout: Layout,
  limits: RecordLimits,
): AsyncGenerator<CsvResult | ImportEvent> {
  const { delimiter, names, outputs } = layout
  const isEscaped = outputs.some(({ status }) => status !== undefined)
  for await (const row of readDataRows(source, delimiter, names.length, limits)) {
    if ('kind' in row) yield row
    else {
      const cells = isEscaped ? row.cells.map(removeFormulaMark) : row.cells
      for (const [index, cell] of cells.entries())
        if (cell !== row.cells[index])
          yield repairNote(
            row.index,
            row.line,
            `/${names[index]}`,
            "The ' in front of a formula was removed.",
          )
      const place = { index: row.index - 1, line: row.line }
      const test = describeTest(cells, layout)
      for (const [promptIdx, columns] of outputs.entries()) {
        const result = describeResult(cells, columns)
        if (!result) continue
        const numbers: Members = [
          ['id', Json.of(String(place.index))],
          ['promptIdx', Json.of(promptIdx)],
          ['testIdx', Json.of(place.index)],
        ]
        yield { kind: 'result', row: Json.object([...numbers, ...test, ...result]), place }
      }
    }
  }
}

/** promptfoo marks texts that a spreadsheet could read as a formula. */
function removeFormulaMark(cell: string): string {
  return /^'[\s\u200B-\u200D]*[=@+-]/.test(cell) ? cell.slice(1) : cell
}

type Members = [name: string, value: Json | undefined][]

/** The members that all results of a test have. A variable that a test does not have is an empty cell. */
function describeTest(cells: string[], { names, description, vars, rest }: Layout): Members {
  const textsAt = (indices: number[]): Members =>
    indices.flatMap((index) => (cells[index] ? [[names[index] as string, Json.of(cells[index])]] : []))
  const text = description === undefined ? '' : cells[description]
  return [
    ['vars', Json.object(textsAt(vars))],
    ['testCase', text ? Json.of({ description: text }) : undefined],
    ...textsAt(rest),
  ]
}

/** The members of one result. Undefined if the test did not run with this prompt and provider. */
function describeResult(cells: string[], columns: OutputColumns): Members | undefined {
  const cellAt = (index: number | undefined) => (index === undefined ? '' : (cells[index] ?? ''))
  const parsed =
    columns.status === undefined
      ? parseVerdictCell(cellAt(columns.index), cellAt(columns.reason))
      : {
          status: cellAt(columns.status),
          output: cellAt(columns.index),
          score: cellAt(columns.score),
          namedScores: parseNamedScores(cellAt(columns.namedScores)),
          reason: cellAt(columns.reason),
        }
  if (!parsed || parsed.status === '') return undefined
  const { status, output, score, namedScores, reason } = parsed
  const [isPass, isError] = [status === 'PASS', status === 'ERROR']
  // Since 0.121 the message of an error is missing.
  const error = isError && output !== '' && columns.status === undefined ? Json.of(output) : undefined
  const comment = cellAt(columns.comment)
  return [
    [
      'response',
      error ? Json.object([['error', error]]) : isError && output === '' ? undefined : Json.of({ output }),
    ],
    ['success', Json.of(isPass)],
    ['failureReason', Json.of(isError ? 2 : isPass ? 0 : 1)],
    ['score', parseNumber(score)],
    ['namedScores', namedScores],
    ['gradingResult', Json.of({ reason: reason || undefined, comment: comment || undefined })],
  ]
}

function parseNamedScores(cell: string): Json | undefined {
  if (cell === '') return undefined
  try {
    return Json.of(JSON.parse(cell))
  } catch {
    return Json.of(cell)
  }
}

/** Parses `[FAIL] (0.50, tone: 1.00)`, a blank line, the output, a blank line and `Fail Reason: …`. */
function parseVerdictCell(cell: string, reasonCell: string) {
  const match = VERDICT_CELL.exec(cell)
  if (!match) return undefined
  const [prefix, status = '', score = '', names = ''] = match
  const text = cell.slice(prefix.length)
  const reasonStart = reasonCell
    ? -1
    : text.search(/(?:^|\n\n)(?:Pass|Fail) Reason: (?![\s\S]*\n\n(?:Pass|Fail) Reason: )/)
  const reason =
    reasonStart === -1 ? reasonCell : text.slice(reasonStart).trimStart().slice('Pass Reason: '.length)
  const output = reasonStart === -1 ? text : text.slice(0, reasonStart)
  const namedScores = Array.from(
    names.matchAll(/(.+?): (-?\d+(?:\.\d+)?)(?:, |$)/g),
    ([, name = '', value = '']) => [name, parseNumber(value)] as [string, Json | undefined],
  )
  // Some versions write the reason in front of the output.
  const front = `${reason}\n---\n`
  return {
    status,
    score,
    reason,
    output: reason !== '' && output.startsWith(front) ? output.slice(front.length) : output,
    namedScores: namedScores.length === 0 ? undefined : Json.object(namedScores),
  }
}
