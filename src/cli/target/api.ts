// The API that a command uses: that of a running service, or the same one in this process, on a local store.
import type { Assay } from 'assay-client'
import type { Importer } from '../../import/importer.ts'
import type { Source } from '../../import/source.ts'
import type { ImportReport } from '../../schema/imports.ts'
import type { Settings } from '../../settings/settings.ts'

export interface Api {
  assay: Assay
  project: string
  /** What the command can do in the project. */
  scopes: readonly string[]
  /** The path of the store, if it is one local file. */
  file?: string | undefined
  /** How to select the project. */
  projectHint: string
  /** A project exists with its first key or import. */
  hasProject(): Promise<boolean>
  /** Converts the errors of the client. Returns other errors unchanged. */
  toCommandError(error: unknown): unknown
  /**
   * Imports one file. A rejected file has a report too. After `signal` nothing of the file is stored; throws
   * ResponseInterrupted if that is not certain.
   */
  importFile(
    source: Source,
    importer: Importer,
    settings: Settings,
    signal?: AbortSignal,
  ): Promise<ImportReport>
}
