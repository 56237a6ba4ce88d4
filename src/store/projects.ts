// Projects: what owns evaluations, variants and keys.
import { Problem } from '../errors.ts'
import { confinementText, covers } from '../schema/confinement.ts'
import { ID_RULES, isId } from '../schema/ids.ts'
import type { ConfinedTo } from '../schema/shares.ts'
import type { Connection, Transaction } from './dialect/dialect.ts'

/** Who is asking: sees one project, and hears of the others only as far as the setting allows. */
export interface Viewer {
  project: number
  /** Whether an id that is not open to them answers like one that exists nowhere. */
  conceal: boolean
  /** All that is open to them; null where that is all of the project. */
  confined_to: ConfinedTo | null
}

/** The project's key; the project comes into being when it is first named. */
export async function ensureProject(transaction: Transaction, name: string): Promise<number> {
  const there = await findProject(transaction, name)
  if (there !== undefined) return there
  await transaction.run(
    'INSERT INTO project (name, created_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
    name,
    new Date().toISOString(),
  )
  const key = await findProject(transaction, name)
  if (key === undefined) throw new Error(`The project ${name} was added and is not there`)
  return key
}

/** The project's key; undefined when nobody has named it yet. */
export async function findProject(connection: Connection, name: string): Promise<number | undefined> {
  return (await connection.get<{ key: number }>('SELECT key FROM project WHERE name = ?', name))?.key
}

/** Elsewhere alone: in one's own project it may have been made since it was looked for there. */
export const FIND_ELSEWHERE = (noun: 'evaluation' | 'variant') =>
  `SELECT 1 FROM ${noun} WHERE id = ? AND project <> ? LIMIT 1`

export const FIND_ANYWHERE = (noun: 'evaluation' | 'variant') => `SELECT 1 FROM ${noun} WHERE id = ? LIMIT 1`

/** What a viewer is told who asked for an id that is not in their project. Throws in every case. */
export async function refuseAbsent(
  connection: Connection,
  viewer: Viewer,
  noun: 'evaluation' | 'variant',
  id: string,
): Promise<never> {
  await refuseForeign(connection, viewer, noun, id)
  throw notFound(viewer, noun, id)
}

/** Throws access-denied where the id exists only in another project, unless that is to be concealed. */
export async function refuseForeign(
  connection: Connection,
  viewer: Viewer,
  noun: 'evaluation' | 'variant',
  id: string,
): Promise<void> {
  // Asked whatever `conceal` says, so that both answers take the same time.
  const elsewhere = await connection.get(FIND_ELSEWHERE(noun), id, viewer.project)
  if (elsewhere && !viewer.conceal) {
    throw new Problem(
      'access-denied',
      `The ${noun} '${id}' belongs to another project. Use a key of that project.`,
    )
  }
}

/**
 * Throws where the id is not among what the viewer is confined to: access-denied where it exists, in whatever project,
 * unless that is to be concealed.
 */
export async function refuseUncovered(
  connection: Connection,
  viewer: Viewer,
  noun: 'evaluation' | 'variant',
  id: string,
): Promise<void> {
  const { confined_to, conceal } = viewer
  if (confined_to === null || covers(confined_to, noun, id)) return
  // Of all projects at once and whatever `conceal` says, so that every answer takes the same time.
  const isThere = await connection.get(FIND_ANYWHERE(noun), id)
  if (!isThere || conceal) throw notFound(viewer, noun, id)
  throw confinedElsewhere(confined_to)
}

export function confinedElsewhere(confined_to: ConfinedTo): Problem {
  const detail = `This key is confined to ${confinementText(confined_to)}. Use one of the whole project.`
  return new Problem('access-denied', detail)
}

export function notFound({ confined_to }: Viewer, noun: 'evaluation' | 'variant', id: string): Problem {
  const where = confined_to
    ? `This key is confined to ${confinementText(confined_to)}.`
    : `GET /api/${noun}s lists those that this key can read.`
  return new Problem(`${noun}-not-found`, `No ${noun} has the id '${id}'. ${isId(id) ? where : ID_RULES}`)
}
