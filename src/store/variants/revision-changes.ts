// The changes between two revisions of a variant, as JSON text. Cached by the digests of both configurations, because another
// revision can get the number of a deleted one.
import { setImmediate } from 'node:timers/promises'
import type { Change } from '../../json/changes.ts'
import { JsonNode } from '../../json/json-node.ts'
import { MAX_CHANGES, MAX_CHANGES_PER_REVISION } from '../../schema/revision-changes.ts'
import type { LruCache } from '../cache/lru-cache.ts'
import type { Connection } from '../dialect/dialect.ts'
import { FIND_REVISION_DIGEST, getRevisionText } from './revisions.ts'

export interface RevisionBody {
  revision: number
  body: string
  /** Of the configuration. */
  digest: Uint8Array
}

/** All changes between two existing revisions, with old and new values. */
export async function getChangesBetween(
  cache: LruCache<string>,
  connection: Connection,
  variant: { key: number; id: string },
  fromRevision: number,
  toRevision: number,
): Promise<string> {
  const from = await findIdentity(connection, variant.key, fromRevision)
  const to = await findIdentity(connection, variant.key, toRevision)
  return cache.getOrCreate(`changes ${variant.key} ${from} ${to} whole`, async () => {
    const [oldBody, newBody] = await Promise.all([
      getRevisionText(connection, variant.key, fromRevision),
      getRevisionText(connection, variant.key, toRevision),
    ])
    const members = `"variant_id":${JSON.stringify(variant.id)},"from":${fromRevision},"to":${toRevision}`
    return `{${members},${await serializeComparison(oldBody, newBody, MAX_CHANGES, serializeFullChange)}}`
  })
}

/** The changes of a revision since the previous one, without values; null for the first revision. */
export async function getChangesSincePrevious(
  cache: LruCache<string>,
  variant: number,
  previous: RevisionBody | undefined,
  next: RevisionBody,
): Promise<string> {
  if (!previous) return 'null'
  return cache.getOrCreate(
    `changes ${variant} ${identityOf(previous)} ${identityOf(next)} brief`,
    async () => {
      const limit = MAX_CHANGES_PER_REVISION
      const changes = await serializeComparison(previous.body, next.body, limit, serializeBriefChange)
      return `{"against":${previous.revision},${changes}}`
    },
  )
}

/** The number of changes between two revisions; null unless both exist. */
export async function countChangesBetween(
  cache: LruCache<string>,
  connection: Connection,
  variant: number,
  fromRevision: number,
  toRevision: number,
): Promise<number | null> {
  const from = await findIdentity(connection, variant, fromRevision)
  const to = await findIdentity(connection, variant, toRevision)
  if (from === undefined || to === undefined) return null
  const name = `changes ${variant} ${from} ${to} count`
  const cachedCount = cache.get(name)
  if (cachedCount !== undefined) return Number(cachedCount)
  const oldBody = await getRevisionText(connection, variant, fromRevision)
  const newBody = await getRevisionText(connection, variant, toRevision)
  const { change_count } = await compareBodies(oldBody, newBody, 0)
  cache.set(name, String(change_count))
  return change_count
}

/** The number and the configuration of a revision, for cache keys. Undefined if the revision does not exist. */
async function findIdentity(
  connection: Connection,
  variant: number,
  revision: number,
): Promise<string | undefined> {
  const row = await connection.get<{ digest: Uint8Array }>(FIND_REVISION_DIGEST, variant, revision)
  return row && identityOf({ revision, ...row })
}

function identityOf({ revision, digest }: Pick<RevisionBody, 'revision' | 'digest'>): string {
  return `${revision}:${Buffer.from(digest).toString('base64')}`
}

async function serializeComparison(
  oldBody: string,
  newBody: string,
  limit: number,
  serialize: (change: Change) => string,
): Promise<string> {
  const { isSameName, oldName, newName, ...result } = await compareBodies(oldBody, newBody, limit)
  return [
    `"config_name":${isSameName ? 'null' : `{"old":${oldName},"new":${newName}}`}`,
    `"parameter_count":${result.parameter_count}`,
    `"change_count":${result.change_count}`,
    `"changes":[${result.changes.map(serialize).join(',')}]`,
  ].join(',')
}

/** Loads the comparison on first use. */
async function compareBodies(oldBody: string, newBody: string, limit: number) {
  const { compareObjects, isSameJsonString } = await import('../../json/changes.ts')
  const oldConfig = readConfig(oldBody)
  // Each body can be megabytes, so other requests can run in between.
  await setImmediate()
  const newConfig = readConfig(newBody)
  const result = await compareObjects(oldConfig.parameters, newConfig.parameters, limit)
  const names = { oldName: oldConfig.name, newName: newConfig.name }
  return { ...result, ...names, isSameName: isSameJsonString(names.oldName, names.newName) }
}

const NO_PARAMETERS = JsonNode.of('{}')

function readConfig(body: string): { name: string; parameters: JsonNode } {
  const config = new Map(new Map(JsonNode.of(body).members()).get('config')?.members())
  return {
    name: config.get('config_name')?.text ?? '""',
    parameters: config.get('parameters') ?? NO_PARAMETERS,
  }
}

function serializeBriefChange({ path, old_path, kind, lines }: Change): string {
  return JSON.stringify({ path, old_path, kind, lines })
}

/** Inserts the values as their original JSON text. */
function serializeFullChange({ path, old_path, kind, old, new: newValue, lines }: Change): string {
  const values = [
    old === undefined ? '' : `"old":${old},`,
    newValue === undefined ? '' : `"new":${newValue},`,
  ]
  return `${JSON.stringify({ path, old_path, kind }).slice(0, -1)},${values.join('')}"lines":${JSON.stringify(lines)}}`
}
