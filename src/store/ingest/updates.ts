// What an imported file changes in an evaluation that exists already.
import { Json } from '../../json/value.ts'
import type { EvaluationWrite } from '../../schema/evaluations.ts'
import type { ParsedEvaluation } from '../../schema/import-events.ts'
import type { RevisionWrite } from '../../schema/revisions.ts'
import type { OnConflict } from '../../schema/scenarios.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import type { Connection } from '../dialect/dialect.ts'
import { FIND_REVISION_TEXT } from '../variants/revisions.ts'

/** What the progress of a run changes. */
const PROGRESS_MEMBERS = ['status', 'expected_count', 'evaluators', 'metadata'] as const
const RUN_MEMBERS = [...PROGRESS_MEMBERS, 'variant_id', 'revision', 'family', 'label', 'provider'] as const
/** A full export describes an evaluation completely. */
const EXPORT_MEMBERS = [...RUN_MEMBERS, 'name', 'baseline_id', 'tags'] as const

/**
 * The members that the file can update. Without `replace`, these are members of a running evaluation, or of one that
 * contains the beginning of the file.
 */
export async function selectUpdates(
  connection: Connection,
  key: number,
  { content, place, ranRevision, continuesStored }: ParsedEvaluation,
  onConflict: OnConflict,
): Promise<ParsedValue<EvaluationWrite>> {
  const stored = await connection.get<{ status: string; evaluators: string | null }>(
    'SELECT status, evaluators FROM evaluation WHERE key = ?',
    key,
  )
  const isReplaced = onConflict === 'replace' || onConflict === 'replace_all'
  if (!isReplaced && !continuesStored && stored?.status !== 'running') return NO_UPDATES
  const revisionMembers = ranRevision ? RUN_MEMBERS : PROGRESS_MEMBERS
  const names = !isReplaced ? PROGRESS_MEMBERS : place ? EXPORT_MEMBERS : revisionMembers
  const patch = selectMembers(content, names)
  const evaluators = patch.memberTexts.get('evaluators')
  if (evaluators === undefined) return patch
  const storedEvaluators = new Json(stored?.evaluators ?? '[]')
  const merged = mergeEvaluators(storedEvaluators, new Json(evaluators), onConflict === 'replace_all').text
  return {
    value: { ...patch.value, evaluators: JSON.parse(merged) },
    memberTexts: new Map(patch.memberTexts).set('evaluators', merged),
  }
}

const NO_UPDATES: ParsedValue<EvaluationWrite> = { value: {}, memberTexts: new Map() }

function selectMembers(
  { value, memberTexts }: ParsedValue<EvaluationWrite>,
  names: readonly (keyof EvaluationWrite)[],
): ParsedValue<EvaluationWrite> {
  const isSelected = ([name, member]: [string, unknown]) =>
    member !== undefined && names.some((selected) => selected === name)
  return {
    value: Object.fromEntries(Object.entries(value).filter(isSelected)),
    memberTexts: new Map([...memberTexts].filter(isSelected)),
  }
}

/** Members of `patch` override those of the evaluation. */
export function withMembers(
  { value, memberTexts }: ParsedValue<EvaluationWrite>,
  patch: ParsedValue<EvaluationWrite>,
): ParsedValue<EvaluationWrite> {
  return {
    value: { ...value, ...patch.value },
    memberTexts: new Map([...memberTexts, ...patch.memberTexts]),
  }
}

/**
 * All stored evaluators, because scenarios that are not in the file can have their results, with the settings of the
 * file. Evaluators of people keep their settings, and so do evaluators without settings in the file. `isComplete`: the file
 * contains all scenarios, so that other evaluators are removed.
 */
function mergeEvaluators(stored: Json, written: Json, isComplete: boolean): Json {
  const writtenNames = new Set(written.elements.map(nameOf))
  const isKept = (evaluator: Json) => !isComplete || isHuman(evaluator) || writtenNames.has(nameOf(evaluator))
  const merged = new Map(stored.elements.filter(isKept).map((evaluator) => [nameOf(evaluator), evaluator]))
  for (const evaluator of written.elements) {
    const existing = merged.get(nameOf(evaluator))
    if (existing && isHuman(existing)) continue
    const members = new Map([...(existing?.members ?? []), ...evaluator.members])
    merged.set(nameOf(evaluator), Json.object(members))
  }
  return merged.size === 0 ? written : Json.array(merged.values())
}

function isHuman(evaluator: Json): boolean {
  return evaluator.get('kind')?.string === 'human'
}

function nameOf(evaluator: Json): string {
  return evaluator.get('name')?.string ?? ''
}

/** The revision with the configuration name of a stored one, if that exists. */
export async function withConfigNameOf(
  connection: Connection,
  variant: number,
  revision: number,
  { value, memberTexts }: ParsedValue<RevisionWrite>,
): Promise<ParsedValue<RevisionWrite>> {
  const stored = await connection.get<{ body: string }>(FIND_REVISION_TEXT, variant, revision)
  const name = stored && new Json(stored.body).get('config', 'config_name')
  if (!name) return { value, memberTexts }
  const config = new Map(new Json(memberTexts.get('config') ?? '{}').members).set('config_name', name)
  return { value, memberTexts: new Map(memberTexts).set('config', Json.object(config).text) }
}
