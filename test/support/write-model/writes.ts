// The effects of writes on the model, shared by single writes and imports.
import { appendScenarios, type Rule, type UploadResult } from './corrections.ts'
import type { Members, Raw, ScenarioRecord } from './documents.ts'
import { Evaluation, type Project, type Revision, storedText, Variant } from './model.ts'
import { replaceAllScenarios } from './replace-all.ts'

export function ensureEvaluation(project: Project, id: string, members: Members = {}): Evaluation {
  const existing = project.find('evaluation', id)
  if (existing) return existing
  const evaluation = new Evaluation(id, undefined)
  evaluation.columns.name = JSON.stringify(id)
  evaluation.set(members)
  project.evaluations.push(evaluation)
  return evaluation
}

export function uploadScenarios(
  evaluation: Evaluation | undefined,
  records: ScenarioRecord[],
  rule: Rule,
): UploadResult {
  if (rule === 'replace_all') return replaceAllScenarios(evaluation, records)
  return appendScenarios(evaluation, records, rule)
}

/** Stores the result of an upload. */
export function storeUpload(
  project: Project,
  evaluation: Evaluation,
  { scenarios, written, isChanged, isReplaced }: UploadResult,
): void {
  evaluation.scenarios = scenarios
  if (isReplaced) {
    evaluation.columnNames = { inputs: [], answers: [], results: [] }
    project.moveToEnd(evaluation)
  }
  evaluation.updateColumns(written)
  if (isChanged) evaluation.changeCount += 1
}

export function ensureVariant(project: Project, id: string): Variant {
  const existing = project.find('variant', id)
  if (existing) return existing
  const variant = new Variant(id, undefined)
  variant.name = id
  project.variants.push(variant)
  return variant
}

/** Whether the variant and the revision exist that an evaluation names after a write. */
export function hasReferences(project: Project, members: Members, evaluation?: Evaluation): boolean {
  const named = (name: 'variant_id' | 'revision') =>
    members[name] ? members[name].value : JSON.parse(evaluation?.columns[name] ?? 'null')
  const [variantId, number] = [named('variant_id'), named('revision')]
  if (variantId === null) return number === null
  const variant = project.find('variant', variantId)
  if (!variant) return false
  return number === null || variant.revisions.some((revision) => revision.number === number)
}

/** The normalized time of a member. */
export function toTime(member: Raw | undefined): string | undefined {
  const time = member?.value as string | null | undefined
  return time == null ? undefined : new Date(time.replace(' ', 'T').toUpperCase()).toISOString()
}

interface AddedRevision {
  revision: Revision
  isNew: boolean
}

/** `highest`: the highest number that was ever used. Returns undefined if the number exists with different content. */
export function addRevision(
  stored: Revision[],
  members: Members,
  highest: number,
): AddedRevision | undefined {
  const { modified_by, config, message, created_at } = members as Record<string, Raw>
  const revision: Revision = {
    number: (members.revision?.value as number | undefined) ?? highest + 1,
    modifiedBy: modified_by as Raw,
    config: config as Raw,
    message: storedText((message?.value as string | null | undefined) ?? null),
    created_at: toTime(created_at),
    requestTime: Date.now(),
  }
  const existing = stored.find(({ number }) => number === revision.number)
  if (!existing) return { revision, isNew: true }
  return isSame(existing, revision) ? { revision: existing, isNew: false } : undefined
}

function isSame(stored: Revision, sent: Revision): boolean {
  return (
    stored.config.compact === sent.config.compact &&
    stored.modifiedBy.value === sent.modifiedBy.value &&
    stored.message === sent.message &&
    (sent.created_at === undefined || stored.created_at === sent.created_at)
  )
}
