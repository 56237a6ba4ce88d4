// What a file of results turns out to hold, one after the other. A variant comes before its revisions, an
// evaluation behind the revision that it ran and before its scenarios.
import type { EvaluationWrite } from './evaluations.ts'
import type { RevisionWrite } from './revisions.ts'
import type { ScenarioWrite } from './scenarios.ts'
import type { VariantWrite } from './variants.ts'
import type { Written } from './written.ts'

/** Which record of the file, counted from 0, and the line it begins on. */
export interface RecordPlace {
  index: number
  line: number
}

export interface FoundEvaluation {
  kind: 'evaluation'
  id: string
  written: Written<EvaluationWrite>
  /** Where the file is an export that says what the evaluation is, to the letter. */
  place?: RecordPlace
  /** Whether it ran the revision that came before it. */
  ranRevision?: boolean
}

export interface FoundScenario {
  kind: 'scenario'
  place: RecordPlace
  written: Written<ScenarioWrite>
  /** Which of the file's evaluations it is of, counted from 0; without it the one before. */
  evaluation?: number
  /** Where it belongs in its evaluation; without it, and among equals, in the order of the file. */
  order?: number
}

export type Finding =
  | FoundEvaluation
  | FoundScenario
  | { kind: 'variant'; id: string; written: Written<VariantWrite & { created_at?: string }> }
  | { kind: 'revision'; place: RecordPlace; written: Written<RevisionWrite> }

/** Something in a file that cannot be kept, or not as it is. `pointer` leads to it inside its record. */
export interface Remark {
  record: number | null
  line: number
  pointer: string
  detail: string
}

/** A refusal is left out; a repair was kept in another form. */
export type Found = Finding | ({ kind: 'refusal' } & Remark) | ({ kind: 'repair' } & Remark)
