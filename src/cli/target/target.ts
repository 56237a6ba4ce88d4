// What commands work on: the project of a local store, or the project of an API key of a running service. Both return
// the same texts, so that a command behaves alike on both.
import { CommandError } from '../../errors.ts'
import type { Importer } from '../../import/importer.ts'
import type { Source } from '../../import/source.ts'
import type { Comparison, RowScore } from '../../schema/comparisons.ts'
import type { RowFilter } from '../../schema/filters/filters.ts'
import type { GateRules } from '../../schema/gate.ts'
import type { ImportReport } from '../../schema/imports.ts'
import type { Scope } from '../../schema/keys.ts'
import type { BaselineReason } from '../../schema/rules.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import type { NewShare, Share } from '../../schema/shares.ts'
import type { Format } from '../../serialize/format.ts'
import type { Settings } from '../../settings/settings.ts'
import type { AuditEntry, LogEntry } from '../../store/changes/change-log.ts'

export type Noun = 'evaluation' | 'variant'

export interface ListOptions {
  /** Only those with exactly this name. */
  name?: string | undefined
  /** Only evaluations of this variant. */
  variant?: string | undefined
  /** Only evaluations of this family. */
  family?: string | undefined
  /** Maximum number of elements. Default: all. */
  limit?: number | undefined
  /** Default: newest first. */
  isOldestFirst?: boolean
}

/** Reads a JSON or NDJSON text or a CSV file in chunks. */
export type Work<Result> = (bytes: AsyncIterable<Uint8Array>) => Promise<Result>

export interface ChangeFilters {
  actions: string[]
  since: string | undefined
  until: string | undefined
  /** The public id of a key, or `cli`. */
  keyId: string | undefined
}

export type ShareToCreate = Pick<Share, 'name' | 'scopes' | 'confined_to'> & {
  /** Default: after one week, or when the API key of a service expires. */
  expires_at: string | undefined
}

/** The rows that match all filters. */
export interface RowSelection {
  /** The query parameters of the API. */
  parameters: Record<string, string[]>
  filters: RowFilter[]
  /** The id of the baseline of `delta`. */
  base: string | undefined
}

/** Methods that name an evaluation or variant throw NotInProject if the project does not have it. */
export interface ExportOptions {
  format: Format
  /** Whether CSV cells must not look like formulas. */
  isExcelSafe: boolean
  /** Default: all rows. */
  rows?: RowSelection | undefined
}

export interface Target {
  readonly project: string
  /** The path of the store, if it is one file. */
  readonly file: string | undefined

  /** Throws CommandError if the API key does not have one of the scopes. */
  checkScopes(...scopes: Scope[]): void
  /** A project exists with its first key or import. */
  hasProject(): Promise<boolean>

  /** The JSON text of one evaluation or variant. */
  getText(noun: Noun, id: string): Promise<string>
  /** The JSON texts of evaluations or variants. */
  list(noun: Noun, options: ListOptions): AsyncIterable<string>
  /** Deletes an evaluation or variant with its scenarios or revisions. */
  delete(noun: Noun, id: string): Promise<void>

  /** The number of rows that match. Throws UsageError if a filter names what the evaluation does not have. */
  countRows(id: string, rows: RowSelection): Promise<number>
  /** Passes the scenarios of an evaluation in one consistent state to `work`. */
  exportScenarios<Result>(id: string, options: ExportOptions, work: Work<Result>): Promise<Result>
  /**
   * The same with a header line, as NDJSON. `isCopy`: without the variant and its revision, which a copy of the whole
   * project contains anyway.
   */
  exportFull<Result>(id: string, isCopy: boolean, work: Work<Result>): Promise<Result>

  /** The JSON texts of all revisions of a variant, with their messages. */
  listRevisions(variant: string): AsyncIterable<string>
  /** The JSON text of the changes between two revisions. The numbers are texts of the user. */
  diffRevisions(variant: string, from: string, to: string): Promise<string>

  /**
   * Compares candidates with the first evaluation. One evaluation alone is compared with its default baseline. Throws UsageError if
   * they cannot be joined this way or a rule of the gate is wrong, and CommandError if there is no default baseline.
   */
  compare<Result>(
    ids: string[],
    joinKey: string,
    rules: GateRules,
    work: (comparison: OpenComparison) => Promise<Result>,
  ): Promise<Result>

  /** The JSON text of a breakdown. Throws UsageError if the evaluation cannot be grouped this way. */
  breakDown(id: string, by: string, baseline: string | undefined): Promise<string>

  /** The JSON text of the agreement of two evaluators. Throws UsageError if the evaluation does not have them. */
  getAgreement(id: string, evaluator: string, other: string): Promise<string>

  createShare(share: ShareToCreate): Promise<NewShare>

  /** Entries of the change log, oldest first, in batches. A service returns no entries about keys, and not who made them. */
  listChanges(filters: ChangeFilters): AsyncIterable<(LogEntry | AuditEntry)[]>

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

export interface OpenComparison {
  comparison: Comparison
  /** Why the baseline was chosen. Null if it was named. */
  chosen: BaselineReason | null
  /** The worst regressions of one candidate on an evaluator. */
  findRegressions(candidate: number, evaluator: string, limit: number): Promise<Regressions>
  /** The JSON text of the breakdown of one candidate, with its changes from the baseline. Throws like breakDown. */
  breakDown(candidate: number, by: string): Promise<string>
}

export interface Regressions {
  /** Number of all regressions. */
  total: number
  rows: Regression[]
}

/** A row that is worse. With repeats, its scenarios are the first ones, and its scores include all of them. */
export interface Regression {
  baseline: EvaluationScenario
  candidate: EvaluationScenario
  base_score: RowScore | null
  score: RowScore | null
}

export function noBaselineError(id: string): CommandError {
  return new CommandError(
    `'${id}' has no baseline: it declares none, and its variant has no older, finished evaluation.`,
    'Name the baseline: assay compare BASELINE CANDIDATE.',
  )
}

/** The project has no evaluation or variant with an id. */
export class NotInProject extends CommandError {
  override name = 'NotInProject'

  constructor(project: string, noun: Noun, id: string, hint: string) {
    super(`The project '${project}' has no ${noun} '${id}'.`, `Check the id. ${hint}`)
  }
}

export function revisionNotFoundError(variant: string, revision: string): CommandError {
  return new CommandError(
    `The variant '${variant}' has no revision '${revision}'.`,
    `List its revisions with assay revisions ${commandWord(variant, 'VARIANT')}.`,
  )
}

/** A name as an argument in a hint, or the placeholder if the shell would need quotes. */
export function commandWord(name: string, placeholder: string): string {
  return /^[\w.-]+$/.test(name) ? name : placeholder
}
