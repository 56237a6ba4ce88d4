// What evaluations and variants have in common: find by id, list, create, update. Both are found by their id in a project.
import { createHash } from 'node:crypto'
import { Problem } from '../../errors.ts'
import type { ListFilters } from '../../schema/filters/fields.ts'
import { generateId, isId } from '../../schema/ids.ts'
import { type ParsedValue, parsedValue } from '../../schema/validation/parsed-value.ts'
import {
  notFoundError,
  rejectOtherProject,
  rejectOutsideRestriction,
  type Viewer,
} from '../access/projects.ts'
import { insertResource, updateResource } from '../changes/record.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import type { Size } from '../reads/elements.ts'
import type { ListTable } from '../reads/lists.ts'
import { type Columns, type Row, selectColumns, serializeRow, storedMembers, toRow } from './columns.ts'

/** The key, version and size of an evaluation or variant. */
export interface ResourceInfo extends Size {
  key: number
  version: string
}

interface ResourceOptions {
  noun: 'evaluation' | 'variant'
  columns: Columns
  /** The column with the number of scenarios or revisions. */
  countColumn: string
  filters: ListFilters
  /** What to do instead if the id exists with different content. */
  conflictHint: string
  /** Throws invalid-content if the members refer to something that does not exist. */
  checkReferences?(connection: Connection, project: number, members: object): Promise<void>
  /** Called after these members were written. */
  onWritten?(transaction: Transaction, key: number, members: object): Promise<void>
}

/** `Write` is the type of the members that can be written. */
export function defineResource<Write extends { id?: string | null; name?: string | null }>(
  options: ResourceOptions,
) {
  const { noun, columns, countColumn, filters, conflictHint } = options
  const list: ListTable<Row> = {
    table: noun,
    columns: selectColumns(columns),
    filters,
    element: createSerializer(columns),
  }
  const findStatement = `SELECT key, version, ${countColumn} AS count, body_bytes AS bytes
    FROM ${noun} WHERE project = ? AND id = ?`

  /**
   * Like get, but returns undefined if the project has no resource with the id, so that it can be created. It never
   * looks in other projects: neither the response nor its time shows what they contain.
   */
  async function find(connection: Connection, viewer: Viewer, id: string): Promise<ResourceInfo | undefined> {
    if (!isId(id)) throw notFoundError(viewer, noun, id)
    await rejectOutsideRestriction(connection, viewer, noun, id)
    return connection.get<ResourceInfo>(findStatement, viewer.project, id)
  }

  /** Throws not-found, or access-denied if the viewer cannot access the resource. */
  async function get(connection: Connection, viewer: Viewer, id: string): Promise<ResourceInfo> {
    const info = await find(connection, viewer, id)
    if (info) return info
    await rejectOtherProject(connection, viewer, noun, id)
    throw notFoundError(viewer, noun, id)
  }

  /** Like get, and locks the resource until the transaction ends. */
  async function lock(transaction: Transaction, viewer: Viewer, id: string): Promise<ResourceInfo> {
    await transaction.lock(noun, viewer.project, id)
    return get(transaction, viewer, id)
  }

  /** Like find, and locks the id until the transaction ends. */
  async function lockIfExists(
    transaction: Transaction,
    viewer: Viewer,
    id: string,
  ): Promise<ResourceInfo | undefined> {
    await transaction.lock(noun, viewer.project, id)
    return find(transaction, viewer, id)
  }

  async function getVersion(connection: Connection, key: number): Promise<string> {
    const row = await connection.get<{ version: string }>(`SELECT version FROM ${noun} WHERE key = ?`, key)
    if (!row) throw new Error(`The ${noun} with the key ${key} does not exist`)
    return row.version
  }

  async function getRow(connection: Connection, key: number): Promise<Row> {
    const row = await connection.get<Row>(`SELECT ${list.columns} FROM ${noun} WHERE key = ?`, key)
    if (!row) throw new Error(`The ${noun} with the key ${key} does not exist`)
    return row
  }

  /** The JSON text of one resource. */
  async function getText(connection: Connection, key: number): Promise<string> {
    return list.element(await getRow(connection, key))
  }

  /** Returns the key of a resource, and creates it with its id as the name if it does not exist. */
  async function ensure(
    transaction: Transaction,
    viewer: Viewer,
    id: string,
    content: ParsedValue<Write> = parsedValue({ name: id } as Write),
  ): Promise<number> {
    const info = await lockIfExists(transaction, viewer, id)
    return info?.key ?? insert(transaction, viewer.project, id, content, null)
  }

  /**
   * Creates a resource without elements and returns its key. A repeated request changes nothing. Throws conflict if the
   * id exists with different content, and invalid-content if it refers to something that does not exist.
   */
  async function create(
    transaction: Transaction,
    project: number,
    content: ParsedValue<Write>,
  ): Promise<number> {
    const id = content.value.id ?? generateId()
    const digest = computeDigest(content.memberTexts)
    await transaction.lock(noun, project, id)
    const existing = await transaction.get<{ key: number; digest: Uint8Array | null }>(
      `SELECT key, digest FROM ${noun} WHERE project = ? AND id = ?`,
      project,
      id,
    )
    if (!existing) {
      await options.checkReferences?.(transaction, project, content.value)
      return insert(transaction, project, id, content, digest)
    }
    if (existing.digest && Buffer.compare(existing.digest, digest) === 0) return existing.key
    throw new Problem(
      'conflict',
      `The ${noun} '${id}' already exists with different content, so nothing was changed. ${conflictHint}`,
    )
  }

  async function insert(
    transaction: Transaction,
    project: number,
    id: string,
    content: ParsedValue<Write>,
    digest: Uint8Array | null,
  ): Promise<number> {
    const key = await insertResource(transaction, noun, { ...toRow(columns, content), project, id, digest })
    await options.onWritten?.(transaction, key, content.value)
    return key
  }

  /** Updates the members that are present. Null clears a member. Does nothing if no value differs. */
  async function update(
    transaction: Transaction,
    key: number,
    content: ParsedValue<Partial<Write>>,
  ): Promise<void> {
    const row = toRow(columns, content)
    const [names, values] = [Object.keys(row), Object.values(row)]
    if (names.length === 0) return
    await updateResource(
      transaction,
      noun,
      key,
      { action: `${noun}.updated` },
      {
        set: [names.map((name) => `${name} = ?`).join(', '), ...values],
        where: [`(${names.map((name) => `${name} IS DISTINCT FROM ?`).join(' OR ')})`, ...values],
      },
    )
    await options.onWritten?.(transaction, key, content.value)
  }

  /** The names of the present members that differ from the stored ones. */
  async function findDifferences(
    connection: Connection,
    key: number,
    content: ParsedValue<Write>,
  ): Promise<string[]> {
    const stored = await getRow(connection, key)
    return Object.entries(toRow(columns, content))
      .filter(([name, value]) => stored[name] !== value)
      .map(([name]) => name)
  }

  return {
    list,
    findStatement,
    find,
    get,
    lock,
    lockIfExists,
    getVersion,
    getText,
    ensure,
    create,
    update,
    findDifferences,
  }
}

function createSerializer(columns: Columns): (row: Row) => string {
  const names = storedMembers(columns)
  return (row) => serializeRow(columns, row, names)
}

/** A digest of the uploaded members, independent of their order. It detects a repeated request. */
function computeDigest(memberTexts: ReadonlyMap<string, string>): Uint8Array {
  const members = [...memberTexts].filter(([, text]) => text !== 'null').sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(members)).digest()
}
