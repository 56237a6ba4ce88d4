// Puts the sample data into an empty store, and keeps one key to use it with.
import { sampleEvaluations, sampleVariants } from '../../sample/sample.ts'
import { SCOPES } from '../schema/keys.ts'
import { written } from '../schema/written.ts'
import { addEvaluation } from '../store/evaluations.ts'
import { addKey, revokeKeysNamed } from '../store/keys.ts'
import { ensureProject } from '../store/projects.ts'
import { addRevision } from '../store/revisions.ts'
import { appendScenarios } from '../store/scenario-append.ts'
import { scenarioRow } from '../store/scenario-rows.ts'
import { isEmpty, type Store } from '../store/store.ts'
import { addVariant } from '../store/variants.ts'

const PROJECT = 'default'
/** The key is known by its name, which nobody gives a key of their own. */
const KEY_NAME = 'assay serve --sample'
const KEY_LIFE_MS = 86_400_000

/** All of it in one transaction, and nothing at all where the store holds anything. */
export async function loadSample({ reader, writer }: Store): Promise<void> {
  if (!(await isEmpty(reader))) return
  await writer.transaction(async (transaction) => {
    await transaction.lock('sample')
    if (!(await isEmpty(transaction))) return
    const project = await ensureProject(transaction, PROJECT)
    for (const { revisions, ...variant } of sampleVariants()) {
      const key = await addVariant(transaction, project, written(variant))
      for (const revision of revisions) await addRevision(transaction, key, written(revision))
    }
    for (const { evaluation, scenarios } of sampleEvaluations()) {
      const key = await addEvaluation(transaction, project, written(evaluation))
      const rows = scenarios.map((scenario) => scenarioRow(evaluation.id, written(scenario)))
      await appendScenarios(transaction, key, [rows])
    }
  })
}

/** A new key that lasts a day, for reading and for trying out how results are put in; the one of the start before ends. */
export async function renewSampleKey({ writer }: Store): Promise<string> {
  const { key } = await writer.transaction(async (transaction) => {
    await transaction.lock('sample')
    await revokeKeysNamed(transaction, PROJECT, KEY_NAME)
    const expires_at = new Date(Date.now() + KEY_LIFE_MS).toISOString()
    return addKey(transaction, { project: PROJECT, name: KEY_NAME, scopes: SCOPES, expires_at })
  })
  return key
}

/** The two reads that show the sample best: the evaluation that got worse, and the variant behind it. */
export function sampleReads(): string[] {
  return ['/evaluations/support-answer-r5/evaluation_scenarios', '/variants/support-answer/revisions']
}
