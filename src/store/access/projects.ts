// Projects, and the access checks for evaluations and variants.
import { Problem } from '../../errors.ts'
import { ID_RULES, isId } from '../../schema/ids.ts'
import { describeRestriction, isAllowedBy } from '../../schema/key-restriction.ts'
import type { KeyRestriction } from '../../schema/shares.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'

/** What the key of a request can read. */
export interface Viewer {
  project: number
  /** Whether ids that the key cannot read are reported as not found instead of access denied. */
  conceal: boolean
  /** The restriction of the key; null if it can read the whole project. */
  confined_to: KeyRestriction | null
}

/** What requests name by its id. */
export type Noun = 'evaluation' | 'variant' | 'review'

/** The project of deleted evaluations whose rows have yet to be removed. It has no keys, and is not listed. */
export const DELETED_PROJECT = 0

/** Returns the project's key. Creates the project if it does not exist. */
export async function ensureProject(transaction: Transaction, name: string): Promise<number> {
  const existingKey = await findProject(transaction, name)
  if (existingKey !== undefined) return existingKey
  await transaction.run(
    'INSERT INTO project (name, created_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
    name,
    new Date().toISOString(),
  )
  const key = await findProject(transaction, name)
  if (key === undefined) throw new Error(`The project ${name} was inserted but not found`)
  return key
}

/** Returns the project's key; undefined if the project does not exist. */
export async function findProject(connection: Connection, name: string): Promise<number | undefined> {
  return (await connection.get<{ key: number }>('SELECT key FROM project WHERE name = ?', name))?.key
}

export interface ListedProject {
  name: string
  created_at: string
  /** Numbers of evaluations, variants and active keys. */
  evaluations: number
  variants: number
  keys: number
}

const LIST_PROJECTS = `SELECT name, created_at,
    (SELECT count(*) FROM evaluation WHERE evaluation.project = project.key) AS evaluations,
    (SELECT count(*) FROM variant WHERE variant.project = project.key) AS variants,
    (SELECT count(*) FROM api_key WHERE api_key.project = project.key AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ?)) AS keys
  FROM project WHERE key <> ${DELETED_PROJECT} ORDER BY name`

/** All projects of the store, by name. */
export function listProjects(connection: Connection): Promise<ListedProject[]> {
  return connection.all<ListedProject>(LIST_PROJECTS, new Date().toISOString())
}

/** Excludes the key's own project, where the id can have been created since the first lookup. */
export const FIND_IN_OTHER_PROJECT = (noun: Noun) =>
  `SELECT 1 FROM ${noun} WHERE id = ? AND project <> ? LIMIT 1`

export const FIND_IN_ANY_PROJECT = (noun: Noun) => `SELECT 1 FROM ${noun} WHERE id = ? LIMIT 1`

/** Throws access-denied if the id exists only in another project, unless `conceal` is set. */
export async function rejectOtherProject(
  connection: Connection,
  viewer: Viewer,
  noun: Noun,
  id: string,
): Promise<void> {
  // The query runs regardless of `conceal`, so that the response time does not reveal whether the id exists.
  const existsElsewhere = await connection.get(FIND_IN_OTHER_PROJECT(noun), id, viewer.project)
  if (existsElsewhere && !viewer.conceal) {
    throw new Problem(
      'access-denied',
      `The ${noun} '${id}' belongs to another project. Use a key for that project.`,
    )
  }
}

/**
 * Throws if the restriction of the key excludes the id: access-denied if the id exists in any project and `conceal` is
 * not set, otherwise not-found.
 */
export async function rejectOutsideRestriction(
  connection: Connection,
  viewer: Viewer,
  noun: Noun,
  id: string,
): Promise<void> {
  const { confined_to, conceal } = viewer
  if (confined_to === null || isAllowedBy(confined_to, noun, id)) return
  // The query covers all projects and runs regardless of `conceal`, so that the response time reveals nothing.
  const exists = await connection.get(FIND_IN_ANY_PROJECT(noun), id)
  if (!exists || conceal) throw notFoundError(viewer, noun, id)
  throw outsideRestrictionError(confined_to)
}

export function outsideRestrictionError(confined_to: KeyRestriction): Problem {
  const detail = `This key is restricted to ${describeRestriction(confined_to)}. Use a key for the whole project.`
  return new Problem('access-denied', detail)
}

export function notFoundError({ confined_to }: Viewer, noun: Noun, id: string): Problem {
  const lists =
    noun === 'review'
      ? 'GET /api/evaluations/{evaluation_id}/reviews lists the reviews of an evaluation.'
      : `GET /api/${noun}s lists the ${noun}s that this key can read.`
  const hint = confined_to ? `This key is restricted to ${describeRestriction(confined_to)}.` : lists
  return new Problem(`${noun}-not-found`, `No ${noun} has the id '${id}'. ${isId(id) ? hint : ID_RULES}`)
}
