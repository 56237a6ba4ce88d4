// Loads the sample data into an empty store, and creates a key for it.
import { sampleEvaluations, sampleVariants } from '../../../sample/sample.ts'
import { SCOPES } from '../../schema/keys.ts'
import { parsedValue } from '../../schema/validation/parsed-value.ts'
import { addKey, revokeKeysNamed } from '../../store/access/keys.ts'
import { ensureProject } from '../../store/access/projects.ts'
import { createEvaluation } from '../../store/evaluations/evaluations.ts'
import { appendScenarios } from '../../store/scenarios/append.ts'
import { scenarioRow } from '../../store/scenarios/row.ts'
import { isStoreEmpty, type Store } from '../../store/store.ts'
import { addRevision } from '../../store/variants/revisions.ts'
import { createVariant } from '../../store/variants/variants.ts'

const PROJECT = 'default'
/** The key is recognized by this name, which no user would choose. */
const KEY_NAME = 'assay serve --sample'
const KEY_LIFETIME_MS = 86_400_000

/** Loads everything in one transaction. Does nothing if the store is not empty. */
export async function loadSample({ reader, writer }: Store): Promise<void> {
  if (!(await isStoreEmpty(reader))) return
  await writer.transaction(async (transaction) => {
    await transaction.lock('sample')
    if (!(await isStoreEmpty(transaction))) return
    const project = await ensureProject(transaction, PROJECT)
    for (const { revisions, ...variant } of sampleVariants()) {
      const key = await createVariant(transaction, project, parsedValue(variant))
      for (const revision of revisions) await addRevision(transaction, key, parsedValue(revision))
    }
    for (const { evaluation, scenarios } of sampleEvaluations()) {
      const key = await createEvaluation(transaction, project, parsedValue(evaluation))
      const rows = scenarios.map((scenario) => scenarioRow(evaluation.id, parsedValue(scenario)))
      await appendScenarios(transaction, key, [rows])
    }
  })
}

/** Creates a key for reading and writing that is valid for one day, and revokes the key of the previous start. */
export async function renewSampleKey({ writer }: Store): Promise<string> {
  const { key } = await writer.transaction(async (transaction) => {
    await transaction.lock('sample')
    await revokeKeysNamed(transaction, PROJECT, KEY_NAME)
    const expires_at = new Date(Date.now() + KEY_LIFETIME_MS).toISOString()
    return addKey(transaction, { project: PROJECT, name: KEY_NAME, scopes: SCOPES, expires_at })
  })
  return key
}

/** API paths for the example requests: the evaluation with regressions, and the variant it ran. */
export function samplePaths(): string[] {
  return ['/evaluations/support-answer-r5/evaluation_scenarios', '/variants/support-answer/revisions']
}
