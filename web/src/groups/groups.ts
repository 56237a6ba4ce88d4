// Groups evaluations: for sections by variant or source, for verdicts and lines of values only what can be compared.
import type { Evaluation, EvaluatorScores, Scores } from 'assay-client'
import {
  columnDecimals,
  costMeasure,
  evaluatorMeasure,
  evaluatorUnit,
  formatWithUnit,
  latencyMeasure,
  type Measure,
  type Unit,
} from '../results/measures.ts'

export interface EvaluationGroup {
  id: string
  /** Null for evaluations without a variant. */
  variantId: string | null
  /** The name of the variant, or the source. */
  title: string
  /** In the order of the list: newest first by default. */
  evaluations: Evaluation[]
}

/** In the order of their first evaluation. */
export function groupEvaluations(
  evaluations: readonly Evaluation[],
  variantNames: ReadonlyMap<string, string> = new Map(),
): EvaluationGroup[] {
  const groups = new Map<string, EvaluationGroup>()
  for (const evaluation of evaluations) {
    const { variant_id: variantId } = evaluation
    const source = sourceName(evaluation)
    const id = variantId === null ? `source ${source ?? ''}` : `variant ${variantId}`
    const group = groups.get(id)
    if (group) group.evaluations.push(evaluation)
    else {
      const title = variantId === null ? (source ?? 'No source') : (variantNames.get(variantId) ?? variantId)
      groups.set(id, { id, variantId, title, evaluations: [evaluation] })
    }
  }
  return [...groups.values()]
}

/**
 * The groups whose values can be joined by a line: the evaluations of a variant, and those without a variant that have each
 * other as baselines. All other evaluations without a variant are alone.
 */
export function relatedGroups(
  evaluations: readonly Evaluation[],
  variantNames: ReadonlyMap<string, string> = new Map(),
): EvaluationGroup[] {
  const withoutVariant = evaluations.filter(({ variant_id }) => variant_id === null)
  const baselines = new Map(withoutVariant.map(({ id, baseline_id }) => [id, baseline_id]))
  const groups = new Map<string, EvaluationGroup>()
  for (const evaluation of evaluations) {
    const { id, name, variant_id: variantId } = evaluation
    const key = variantId === null ? `evaluation ${firstBaseline(id, baselines)}` : `variant ${variantId}`
    const group = groups.get(key)
    if (group) group.evaluations.push(evaluation)
    else {
      const title = variantId === null ? (name ?? id) : (variantNames.get(variantId) ?? variantId)
      groups.set(key, { id: key, variantId, title, evaluations: [evaluation] })
    }
  }
  return [...groups.values()]
}

/** The baseline of the baseline, and so on, as far as the evaluations are known. */
function firstBaseline(id: string, baselines: ReadonlyMap<string, string | null>): string {
  const seen = new Set<string>()
  let current = id
  while (!seen.has(current)) {
    seen.add(current)
    const next = baselines.get(current)
    if (next && baselines.has(next)) current = next
  }
  return current
}

/** The tool without its version: "promptfoo" for "promptfoo 0.118.2". */
function sourceName({ source }: Evaluation): string | undefined {
  return source?.replace(/\s+v?\d[\w.+-]*$/, '') || undefined
}

/** A measure that at least one evaluation of a group has. */
export interface GroupMeasure {
  /** "result.answer_correct", "latency" or "cost". */
  id: string
  name: string
  unit: Unit
  decimals: number
  measureIn: (evaluation: Evaluation) => Measure | undefined
}

const EVALUATOR_PREFIX = 'result.'

/** Evaluators with scores, those of the most evaluations first; then latency and cost. */
export function measuresOf(evaluations: readonly Evaluation[]): GroupMeasure[] {
  const scoresByName = new Map<string, EvaluatorScores[]>()
  for (const { scores } of evaluations) {
    for (const entry of scores?.evaluators ?? []) {
      if (entry.mean === null) continue
      const entries = scoresByName.get(entry.name)
      if (entries) entries.push(entry)
      else scoresByName.set(entry.name, [entry])
    }
  }
  const evaluators = [...scoresByName].sort(([, a], [, b]) => b.length - a.length)
  const measures = [
    ...evaluators.map(([name, entries]) => {
      const unit = evaluatorUnit(entries)
      return measure(EVALUATOR_PREFIX + name, name, unit ?? 'score', (scores) => {
        const own = scores.evaluators.find((entry) => entry.name === name)
        return own && evaluatorMeasure(own, unit)
      })
    }),
    measure('latency', 'latency', 'seconds', ({ latency }) => latencyMeasure(latency)),
    measure('cost', 'cost', 'dollars', ({ cost }) => costMeasure(cost)),
  ]
  return measures.flatMap((item) => {
    const values = evaluations.flatMap((evaluation) => item.measureIn(evaluation)?.value ?? [])
    return values.length === 0 ? [] : [{ ...item, decimals: columnDecimals(item.unit, values) }]
  })
}

function measure(
  id: string,
  name: string,
  unit: Unit,
  measureIn: (scores: Scores) => Measure | undefined,
): Omit<GroupMeasure, 'decimals'> {
  return { id, name, unit, measureIn: ({ scores }) => scores && measureIn(scores) }
}

export function isEvaluatorMeasure({ id }: Pick<GroupMeasure, 'id'>): boolean {
  return id.startsWith(EVALUATOR_PREFIX)
}

/** The first evaluator: "answer_correct 94.6 %". */
export function scoreSoFar(evaluation: Evaluation): string | undefined {
  const [measure] = measuresOf([evaluation]).filter(isEvaluatorMeasure)
  const value = measure?.measureIn(evaluation)
  return measure && value && `${measure.name} ${formatWithUnit(value.unit, value.value, measure.decimals)}`
}

/** The number of failed outputs and evaluator runs. */
export function errorCount({ scores }: Evaluation): number {
  if (!scores) return 0
  return scores.evaluators.reduce((sum, { errors }) => sum + errors, scores.output_errors)
}

/** "r4", or the name of an evaluation without a revision. */
export function shortName({ revision, name, id }: Pick<Evaluation, 'revision' | 'name' | 'id'>): string {
  return revision === null ? (name ?? id) : `r${revision}`
}

/** The id of the evaluation that this one is compared with. */
export function baselineIdOf({ id, baseline_id, scores }: Evaluation): string | undefined {
  return scores?.base?.id ?? (baseline_id === id ? undefined : (baseline_id ?? undefined))
}
