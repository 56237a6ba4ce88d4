// What a file of results turns out to hold, one after the other. An evaluation comes before its scenarios, a
// variant before its revisions.
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

export type Finding =
  /** With a place where the file says what the evaluation is; without one it only names it. */
  | { kind: 'evaluation'; id: string; written: Written<EvaluationWrite>; place?: RecordPlace }
  | { kind: 'scenario'; place: RecordPlace; written: Written<ScenarioWrite> }
  | { kind: 'variant'; id: string; written: Written<VariantWrite & { created_at?: string }> }
  | { kind: 'revision'; place: RecordPlace; written: Written<RevisionWrite> }

/** Something in a file that cannot be kept. `pointer` leads to it inside its record. */
export interface Refusal {
  record: number | null
  line: number
  pointer: string
  detail: string
}
