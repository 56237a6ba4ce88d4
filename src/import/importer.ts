// What an importer is: it turns a file into findings and stops there. It knows no store.
import type { RecordLimits } from '../json/records.ts'
import type { Found } from '../schema/findings.ts'
import type { Source } from './source.ts'

/** Which columns of a table are what, where their names do not say it. */
export interface ColumnRoles {
  input: string[]
  output: string[]
  expected: string[]
  score: string[]
  extra: string[]
}

export interface ImportOptions {
  /** The evaluation the results go to, whatever the file says. */
  evaluation: string | undefined
  /** The variant that was evaluated, or whose revisions these are. */
  variant: string | undefined
  columns: ColumnRoles
  limits: RecordLimits
  /** Told of how many bytes have been read. */
  onRead(bytes: number): void
}

export interface Importer {
  /** What --format calls it. */
  name: string
  /** What it reads, for whoever has a file that nothing claims. */
  reads: string
  /** By its content, of which only the beginning is known, and its name. */
  claims(source: Source): boolean
  /** Whether a file only says more of others in its folder, which are read together with it. By their names. */
  isBeside?(name: string, others: readonly string[]): boolean
  /** Reads what has to be known before the first finding. Throws Unreadable. */
  open(source: Source, options: ImportOptions): Promise<Reading>
}

export interface Reading {
  /** When the results were made, as RFC 3339 has it, if the file says so. */
  created_at?: string | undefined
  /** Ends early, with a refusal, where the file cannot be read any further. */
  findings(): AsyncGenerator<Found>
}

/** Everything there is in a file; a refusal where it cannot be read. */
export async function* findingsOf(
  importer: Importer,
  source: Source,
  options: ImportOptions,
): AsyncGenerator<Found> {
  try {
    const reading = await importer.open(source, options)
    yield* reading.findings()
    if (await source.hasChanged())
      throw new Unreadable('The file was changed while it was read. Import it again.')
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    yield { kind: 'refusal', record: null, line: error.line, pointer: '', detail: error.message }
  }
}

/** The file as a whole is no good: nothing can be told of its records. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  readonly line: number

  constructor(message: string, line = 1) {
    super(message)
    this.line = line
  }
}
