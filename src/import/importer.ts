// What an importer is: it turns a file into findings and stops there. It knows no store.
import type { RecordLimits } from '../json/records.ts'
import type { Finding, Refusal } from '../schema/findings.ts'
import type { Source } from './source.ts'

export interface ImportOptions {
  /** The evaluation the results go to, whatever the file says. */
  evaluation: string | undefined
  /** The variant that was evaluated, or whose revisions these are. */
  variant: string | undefined
  limits: RecordLimits
  /** Told of how many bytes have been read. */
  onRead(bytes: number): void
}

export interface Importer {
  /** What --format calls it. */
  name: string
  /** What it reads, for whoever has a file that nothing claims. */
  reads: string
  /** By its content, of which only the beginning is known. */
  claims(source: Source): boolean
  /** In the order of the file. Ends early, with a refusal, where the file cannot be read any further. */
  read(source: Source, options: ImportOptions): AsyncGenerator<Finding | ({ kind: 'refusal' } & Refusal)>
}
