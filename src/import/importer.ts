// The importer interface: an importer turns a file into import events and does not access the store.
import { UnreadableFile } from '../errors.ts'
import type { RecordLimits } from '../json/records.ts'

import type { Json } from '../json/value.ts'
import type { ImportEvent } from '../schema/import-events.ts'
import type { OnConflict } from '../schema/scenarios.ts'
import type { Source } from './source.ts'

export interface StoredEvaluation {
  id: string
  variant_id: string | null
  label: string | null
  provider: string | null
  metadata: Json | undefined
}

export interface StoredMember {
  id: string
  created_at: string
  family: string | null
  label: string | null
  provider: string | null
}

/** The latest revision of a variant. */
export interface StoredVariant {
  id: string
  config_name: string
  parameters: Json
  /** The newest evaluation of the variant. */
  latest_evaluation: StoredMember | null
}

/** What importers can look up in the project before they emit events. */
export interface StoredData {
  findEvaluation(id: string): Promise<StoredEvaluation | undefined>
  /** Evaluations with this name from this tool, of any version. Newest first, at most 20. */
  findEvaluations(name: string, source: string): Promise<StoredEvaluation[]>
  /** Evaluations of this tool that were imported from a file with this digest, newest first. Searches the newest 1000. */
  findFile(sha256: string, source: string): Promise<StoredEvaluation[]>
  /** Variants whose id is `prefix` or begins with `prefix:`, by id. */
  findVariants(prefix: string): Promise<StoredVariant[]>
}

/** For an empty project. */
export const NO_STORED_DATA: StoredData = {
  findEvaluation: async () => undefined,
  findEvaluations: async () => [],
  findFile: async () => [],
  findVariants: async () => [],
}

export interface ImportOptions {
  /** The evaluation to import into. Overrides the id in the file. */
  evaluation: string | undefined
  /** The id of the variant. For a file of revisions: the variant to add them to. */
  variant: string | undefined
  /** The roles of table columns: COLUMN=ROLE[/PROVIDER][.KEY][:TYPE], separated by commas. */
  map: string | undefined
  /** What happens to scenarios that exist with different content. */
  on_conflict: OnConflict
  stored: StoredData
  limits: RecordLimits
}

export interface Importer {
  /** The value of --format. */
  name: string
  /** The tool or the kind of file, for the menu of the page and the README. */
  label: string
  /** What the importer reads, for the help, the docs, and the message when no format is detected. */
  description: string
  /** The page in docs/ that explains how to import such files. It contains the example. */
  docs: string
  /** The page in docs/ that lists all fields, if it is another one. */
  reference?: string
  /** A command that imports such files. */
  example: string
  /** For Assay's own formats: a file without records is imported, and NaN and Infinity are errors. */
  isOwnFormat?: boolean
  /** Whether the file has this format, judged by its first bytes and its name. */
  detects(source: Source): boolean
  /** Whether a file only adds to other files in its folder and is read together with them. Judged by name. */
  isCompanion?(name: string, others: readonly string[]): boolean
  /** The names of files of the folder that can belong to this one. An upload contains them too. */
  findSiblings?(source: Source): Promise<string[]>
  /** Throws CommandError if an option that the file needs is missing or wrong. `open` calls it too. */
  checkOptions?(source: Source, options: ImportOptions): void
  /** Reads what is needed before the first event. Call openImport instead. Throws UnreadableFile. */
  open(source: Source, options: ImportOptions): Promise<ImportReader>
}

export interface ImportReader {
  /** When the results were created (RFC 3339). By default, when the file was modified. */
  created_at?: string | undefined
  /** Which results the file counts or describes but does not contain, for a file without any. */
  missing?: string | undefined
  /** A digest of the results. Files with the same digest contain the same run and are imported once. */
  digest?(): Promise<string | undefined>
  /** Ends early, with a rejection, if the rest of the file cannot be read. openImport passes the time. */
  events(created_at?: string): AsyncGenerator<ImportEvent>
}

/** Opens the file. In files of other tools NaN and Infinity are accepted, and the length of arrays is limited. */
export async function openImport(
  importer: Importer,
  source: Source,
  options: ImportOptions,
): Promise<ImportReader> {
  if (importer.isOwnFormat) return importer.open(source, options)
  const limits = { ...options.limits, acceptsNaN: true, elements: 100_000 }
  const reader = await importer.open(source, { ...options, limits })
  const created_at = reader.created_at ?? source.modifiedAt?.toISOString()
  return { ...reader, created_at, events: () => reader.events(created_at) }
}

/** All events of a file. Yields a rejection if the file cannot be read. */
export async function* importEventsOf(
  importer: Importer,
  source: Source,
  options: ImportOptions,
): AsyncGenerator<ImportEvent> {
  if (source.isConverted) yield { kind: 'repair', record: null, line: 1, pointer: '', detail: CONVERTED }
  try {
    const reader = await openImport(importer, source, options)
    let isEmpty = true
    for await (const event of reader.events()) {
      isEmpty &&= !['scenario', 'rejection'].includes(event.kind)
      yield event
    }
    if (isEmpty && !importer.isOwnFormat) {
      const detail =
        `The file has no results: no row, record or test case is in it. ${reader.missing ?? ''}`.trimEnd()
      yield { kind: 'rejection', record: null, line: 1, pointer: '', detail, isFatal: true }
    }
    if (await source.hasChanged())
      throw new UnreadableFile('The file changed while it was being read. Import it again.')
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    yield { kind: 'rejection', record: null, line: error.line, pointer: '', detail: error.message }
  }
}

const CONVERTED = 'The file was converted from UTF-16 to UTF-8.'
