// The list of importers, and detection of a file's format. The help, the menu of the page and the tables in README.md and
// docs/ are generated from this list or compared with it.
import { CommandError } from '../errors.ts'
import { quoteNames } from '../schema/validation/truncate.ts'
import { findNearest } from '../settings/nearest.ts'
import { revisions } from './assay/revisions.ts'
import { scenarios } from './assay/scenarios.ts'
import { deepeval } from './deepeval/deepeval.ts'
import type { Importer } from './importer.ts'
import { inspect } from './inspect/inspect.ts'
import { lmEval } from './lm-eval/lm-eval.ts'
import { openai } from './openai/openai.ts'
import { phoenix } from './phoenix/phoenix.ts'
import { braintrust } from './presets/braintrust.ts'
import { langfuse } from './presets/langfuse.ts'
import { langsmith } from './presets/langsmith.ts'
import { mlflow } from './presets/mlflow.ts'
import { parquet } from './presets/parquet.ts'
import { ragas } from './presets/ragas.ts'
import { promptfoo } from './promptfoo/promptfoo.ts'
import type { Source } from './source.ts'
import { previewColumns } from './table/rows.ts'
import { tableImporter } from './table/table.ts'
import { describeInvalidJson, describeUnsupported } from './unknown-format.ts'

/** Importers for the tables of tools, made by presetImporter. */
const PRESETS: readonly Importer[] = [ragas, langsmith, braintrust, mlflow, langfuse, parquet]
const TOOL_IMPORTERS: readonly Importer[] = [
  scenarios,
  revisions,
  promptfoo,
  inspect,
  deepeval,
  lmEval,
  phoenix,
  openai,
  ...PRESETS,
]

export const IMPORTERS: readonly Importer[] = [...TOOL_IMPORTERS, tableImporter(TOOL_IMPORTERS)]

/** The list of formats for the help of `assay import`. */
export function formatsHelp() {
  return {
    title: 'Formats, detected from the content of the file:',
    entries: IMPORTERS.map(({ name, description, example }) => [name, description, example] as const),
  }
}

/** Throws CommandError if --format names an unknown format. */
export function checkFormat(format: string | undefined): void {
  const names = IMPORTERS.map(({ name }) => name)
  if (format === undefined || names.includes(format)) return
  const nearest = findNearest(format, names)
  const suggestion = nearest === undefined ? '' : `Did you mean ${nearest}? `
  const hint = `${suggestion}assay import --help lists the formats. Without --format, the format is detected.`
  throw new CommandError(`There is no format '${format}'.`, hint, 2)
}

/** Returns the named importer, or the first one that detects the file. */
export function findImporter(source: Source, format: string | undefined): Importer | undefined {
  return IMPORTERS.find((importer) =>
    format === undefined ? importer.detects(source) : importer.name === format,
  )
}

/** The importer of a file that the user chose. Like findImporter, but a CSV file and a file with mapped columns are always a table. */
export function chooseImporter(
  source: Source,
  format: string | undefined,
  map: string | undefined,
): Importer | undefined {
  const importer = findImporter(source, format)
  if (importer || format !== undefined || !previewColumns(source)) return importer
  const isTable = map !== undefined || (!source.jsonPreview && /\.[ct]sv$/i.test(source.name))
  return isTable ? findImporter(source, 'table') : undefined
}

/** Explains why no format was detected. `mapFlag` maps columns, `formatFlag` sets the format. */
export function describeUnknownFormat(source: Source, mapFlag: string, formatFlag: string): string {
  if (source.decodingError) return source.decodingError.message
  if (source.size === 0) return 'The file is empty.'
  const reason = describeUnsupported(source) ?? describeInvalidJson(source)
  if (reason !== undefined) return reason
  const columns = previewColumns(source)
  const names = [...(source.jsonPreview?.paths ?? columns ?? [])]
  const content = names.length === 0 ? 'its content' : `its members or columns ${quoteNames(names)}`
  const tableHint = columns
    ? ` It could be a table with the columns ${quoteNames(columns)}. Map its columns with ${mapFlag}.`
    : ''
  const formats = listNearest(names).map(({ name, description }) => `${name} (${description})`)
  return `No format matches ${content}.${tableHint} Similar formats: ${formats.join('; ')}. Set the format with ${formatFlag}.`
}

const MAX_NEAREST = 3

/** The formats whose descriptions contain most of the names, or those of files that programs write themselves. */
function listNearest(names: string[]): Importer[] {
  const parts = new Set(names.flatMap((name) => name.split('.')))
  const scoreOf = ({ description }: Importer) =>
    (description.match(/\w+/g) ?? []).filter((word) => parts.has(word)).length
  const similar = IMPORTERS.filter((importer) => scoreOf(importer) > 0)
  const nearest = similar.toSorted((a, b) => scoreOf(b) - scoreOf(a)).slice(0, MAX_NEAREST)
  return nearest.length > 0
    ? nearest
    : IMPORTERS.filter(({ name }) => name === 'scenarios' || name === 'table')
}
