// The formats that can be imported, and which of them a file is.
import { CommandError } from '../errors.ts'
import { clipped } from '../schema/clipped.ts'
import { deepeval } from './deepeval.ts'
import type { Importer } from './importer.ts'
import { inspect } from './inspect.ts'
import { lmEval } from './lm-eval.ts'
import { openai } from './openai.ts'
import { phoenix } from './phoenix.ts'
import { promptfoo } from './promptfoo.ts'
import { revisions } from './revisions.ts'
import { scenarios } from './scenarios.ts'
import type { Source } from './source.ts'
import { columnsSeen, tables } from './tables.ts'

export const IMPORTERS: readonly Importer[] = [
  scenarios,
  revisions,
  promptfoo,
  inspect,
  deepeval,
  lmEval,
  phoenix,
  openai,
  tables,
]

/** Throws CommandError where --format names none. */
export function checkFormat(format: string | undefined): void {
  const names = IMPORTERS.map(({ name }) => name)
  if (format === undefined || names.includes(format)) return
  throw new CommandError(`There is no format '${format}'.`, `There are ${names.join(', ')}.`, 2)
}

/** The importer that is named, or the one that claims the file. */
export function findImporter(source: Source, format: string | undefined): Importer | undefined {
  return IMPORTERS.find((importer) =>
    format === undefined ? importer.claims(source) : importer.name === format,
  )
}

/** For whoever has a file that is of no format: what was looked for, and what was seen. `flags` map columns. */
export function lookedFor(source: Source, flags: string): string {
  if (source.size === 0) return 'The file is empty.'
  if (/^(\xff\xfe|\xfe\xff)/.test(source.head.toString('latin1', 0, 2)))
    return 'It is UTF-16: save it as UTF-8.'
  const known = IMPORTERS.map(({ name, reads }) => `${name} (${reads})`).join('; ')
  const columns = columnsSeen(source)
    ?.map((name) => `'${name}'`)
    .join(', ')
  const table = columns
    ? `It may be a table with the columns ${clipped(columns)}: read it as table, and say with ${flags} what they are. `
    : ''
  return `${table}Looked for: ${known}.`
}
