// Reads the files of the sample data.
import { readdirSync, readFileSync } from 'node:fs'
import type { Evaluation } from '../../src/schema/evaluations.ts'
import type { VariantRevision } from '../../src/schema/revisions.ts'
import type { EvaluationScenario } from '../../src/schema/scenarios.ts'

export interface SampleVariant {
  id: string
  name: string
  created_at: string
  revisions: (VariantRevision & { message: string })[]
}

export interface SampleEvaluation {
  evaluation: Evaluation
  scenarios: EvaluationScenario[]
}

const FOLDER = new URL('../../sample/', import.meta.url)

function readFiles(folder: string): string[] {
  return readdirSync(new URL(folder, FOLDER)).map((name) =>
    readFileSync(new URL(`${folder}/${name}`, FOLDER), 'utf8'),
  )
}

/** Oldest first. */
export function sampleVariants(): SampleVariant[] {
  return readFiles('variants')
    .map((text) => JSON.parse(text) as SampleVariant)
    .sort((one, other) => (one.created_at < other.created_at ? -1 : 1))
}

/** Oldest first. */
export function sampleEvaluations(): SampleEvaluation[] {
  return readFiles('evaluations')
    .map((text) => {
      const [header, ...scenarios] = text.trimEnd().split('\n')
      const { evaluation } = JSON.parse(header ?? '') as { evaluation: Evaluation }
      return { evaluation, scenarios: scenarios.map((line) => JSON.parse(line) as EvaluationScenario) }
    })
    .sort((one, other) => (one.evaluation.created_at < other.evaluation.created_at ? -1 : 1))
}
