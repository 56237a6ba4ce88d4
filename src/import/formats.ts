// The formats that can be imported, and which of them a file is.
import { CommandError } from '../errors.ts'
import type { Importer } from './importer.ts'
import { promptfoo } from './promptfoo.ts'
import { revisions } from './revisions.ts'
import { scenarios } from './scenarios.ts'
import type { Source } from './source.ts'

export const IMPORTERS: readonly Importer[] = [scenarios, revisions, promptfoo]

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

/** The same; throws CommandError where there is none. */
export function importerFor(source: Source, format: string | undefined): Importer {
  const found = findImporter(source, format)
  if (found) return found
  const known = IMPORTERS.map(({ name, reads }) => `${name} (${reads})`).join('; ')
  const columns = tableColumns(source)
  throw new CommandError(
    `${source.name} is of no format that Assay knows.${columns}`,
    `Looked for: ${known}. --format NAME takes it for one of them.`,
  )
}

function tableColumns(_source: Source): string {
  return ''
}
