// The events that an importer emits. A variant comes before its revisions. An evaluation comes after the revision that
// it ran and before its scenarios.
import type { EvaluationWrite } from './evaluations.ts'
import type { ImportColumn } from './imports.ts'
import type { Review } from './reviews/reviews.ts'
import type { RevisionWrite } from './revisions.ts'
import type { ScenarioWrite } from './scenarios.ts'
import type { ParsedValue } from './validation/parsed-value.ts'
import type { VariantWrite } from './variants.ts'

/** The record in the file, counted from 0, and the line it begins on. */
export interface RecordLocation {
  index: number
  line: number
}

export interface ParsedEvaluation {
  kind: 'evaluation'
  id: string
  content: ParsedValue<EvaluationWrite>
  /** Set if the file is a full export, which describes the evaluation exactly. */
  place?: RecordLocation
  /** The update time in a full export. It is restored if the import creates the evaluation. */
  updated_at?: string
  /** The reviews in a full export. */
  reviews?: Review[]
  /** Whether it ran the revision emitted before it. */
  ranRevision?: boolean
  /** Whether its variant is named after the file only. If the evaluation exists, it keeps its variant. */
  isVariantNamedByFile?: boolean
  /** Whether the evaluation exists and contains the beginning of the file. */
  continuesStored?: boolean
}

export interface ParsedScenario {
  kind: 'scenario'
  place: RecordLocation
  content: ParsedValue<ScenarioWrite>
  /** Whether the importer made up the id because the file has none. */
  hasGeneratedId?: boolean | undefined
  /** The index of its evaluation in the file. Default: the evaluation emitted last. */
  evaluation?: number
  /** The sort key in its evaluation. Without it, and for equal keys, scenarios are in the order of the file. */
  order?: number
}

export interface ParsedVariant {
  kind: 'variant'
  id: string
  content: ParsedValue<VariantWrite & { created_at?: string }>
}

export interface ParsedRevision {
  kind: 'revision'
  place: RecordLocation
  content: ParsedValue<RevisionWrite>
  /** Whether the file has no name for the configuration, so that it has the name of its variant. */
  isNamedAfterVariant?: boolean
}

export type ParsedRecord = ParsedEvaluation | ParsedScenario | ParsedVariant | ParsedRevision

/** A note about something that was rejected, repaired or omitted. `pointer` is the path inside the record. */
export interface ImportNote {
  record: number | null
  line: number
  pointer: string
  detail: string
}

/**
 * A rejected record is not imported. After a fatal rejection, nothing of the file is imported. A repaired value is
 * imported in another form. An omitted value is not kept. A note changes nothing.
 */
export type ImportEvent =
  | ParsedRecord
  | ({ kind: 'rejection'; isFatal?: boolean } & ImportNote)
  | ({ kind: 'repair' } & ImportNote)
  | ({ kind: 'omission' } & ImportNote)
  | ({ kind: 'note' } & ImportNote)
  // A later event replaces an earlier one.
  | { kind: 'columns'; columns: ImportColumn[] }
