// The formats that can be imported, and which of them a file is.
import { CommandError } from '../errors.ts'
import type { Importer } from './importer.ts'
import { revisions } from './revisions.ts'
import { scenarios } from './scenarios.ts'
import type { Source } from './source.ts'

const IMPORTERS: readonly Importer[] = [scenarios, revisions]

/** Throws CommandError where --format names none. */
export function checkFormat(format: string | undefined): void {
  const names = IMPORTERS.map(({ name }) => name)
  if (format === undefined || names.includes(format)) return
  throw new CommandError(`There is no format '${format}'.`, `There are ${names.join(', ')}.`, 2)
}

/** The importer that is named, or the one that claims the file. Throws CommandError where none does. */
export function importerFor(source: Source, format: string | undefined): Importer {
  const found = IMPORTERS.find((importer) =>
    format === undefined ? importer.claims(source) : importer.name === format,
  )
  if (found) return found
  const known = IMPORTERS.map(({ name, reads }) => `${name} (${reads})`).join('; ')
  throw new CommandError(
    `${source.name} is of no format that Assay knows.`,
    `Looked for: ${known}. --format NAME takes it for one of them.`,
  )
}
