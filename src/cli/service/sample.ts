// Loads the sample data into an empty store, and creates a key for it.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { scenarios } from '../../import/assay/scenarios.ts'
import { type ImportOptions, importEventsOf, NO_STORED_DATA } from '../../import/importer.ts'
import { Source } from '../../import/source.ts'
import { PROJECT_SCOPES } from '../../schema/keys.ts'
import type { VariantRevision } from '../../schema/revisions.ts'
import { parsedValue } from '../../schema/validation/parsed-value.ts'
import { addKey, revokeKeysNamed } from '../../store/access/keys.ts'
import { ensureProject } from '../../store/access/projects.ts'
import type { Transaction } from '../../store/dialect/dialect.ts'
import { ImportWriter } from '../../store/ingest/import-writer.ts'
import { type ScenarioRow, scenarioRow } from '../../store/scenarios/row.ts'
import { isStoreEmpty, type Store } from '../../store/store.ts'
import { addRevision } from '../../store/variants/revisions.ts'
import { createVariant } from '../../store/variants/variants.ts'

const FOLDER = new URL('../../../sample/', import.meta.url)
const VARIANTS = ['support-answer', 'ticket-triage', 'reply-translator']
/** Oldest first, so an evaluation comes after its baseline. */
const EVALUATIONS = [
  'support-answer-r3',
  'support-answer-r4',
  'ticket-triage-r4',
  'ticket-triage-r4-llama-3.1-8b',
  'ticket-triage-r4-gemini-1.5-flash',
  'ticket-triage-r4-gpt-4o-mini',
  'ticket-triage-r4-claude-3-5-haiku',
  'reply-translator-r3',
  'support-answer-r5',
  'support-answer-r6',
]
const IMPORT_OPTIONS: ImportOptions = {
  evaluation: undefined,
  variant: undefined,
  map: undefined,
  on_conflict: 'error',
  stored: NO_STORED_DATA,
  limits: { record_bytes: 1_000_000, depth: 100, members: 10_000 },
}

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
    for (const id of VARIANTS) await loadVariant(transaction, project, id)
    for (const id of EVALUATIONS) await loadEvaluation(transaction, project, id)
  })
}

interface VariantFile {
  id: string
  name: string
  created_at: string
  revisions: VariantRevision[]
}

async function loadVariant(transaction: Transaction, project: number, id: string): Promise<void> {
  const text = await readFile(new URL(`variants/${id}.json`, FOLDER), 'utf8')
  const { revisions, ...variant } = JSON.parse(text) as VariantFile
  const key = await createVariant(transaction, project, parsedValue(variant))
  for (const revision of revisions) await addRevision(transaction, key, parsedValue(revision))
}

/** Imports a full export. It is not staged like other imports, because it is small and always valid. */
async function loadEvaluation(transaction: Transaction, project: number, id: string): Promise<void> {
  const source = await Source.open(fileURLToPath(new URL(`evaluations/${id}.ndjson`, FOLDER)), '')
  const fail = ({ detail }: { detail: string }) => {
    throw new Error(`${source.name}: ${detail}`)
  }
  const writer = new ImportWriter(transaction, project, fail)
  const rows: ScenarioRow[] = []
  try {
    for await (const event of importEventsOf(scenarios, source, IMPORT_OPTIONS)) {
      if (event.kind === 'scenario') rows.push(scenarioRow(id, event.content, null, event.hasGeneratedId))
      else if ('content' in event) await writer.write(event)
      else if ('detail' in event) fail(event)
    }
  } finally {
    await source.close()
  }
  await writer.addScenarios(rows)
  await writer.finish()
}

/** Creates a key for reading and writing that is valid for one day, and revokes the key of the previous start. */
export async function renewSampleKey({ writer }: Store): Promise<string> {
  const { key } = await writer.transaction(async (transaction) => {
    await transaction.lock('sample')
    await revokeKeysNamed(transaction, PROJECT, KEY_NAME)
    const expires_at = new Date(Date.now() + KEY_LIFETIME_MS).toISOString()
    return addKey(transaction, { project: PROJECT, name: KEY_NAME, scopes: PROJECT_SCOPES, expires_at })
  })
  return key
}
