// Write transactions that add their changes to the change log of the project.
import { subjectTypeOf } from '../../schema/changes.ts'
import { generateVersion } from '../../schema/ids.ts'
import type {
  Actor,
  Change,
  Counts,
  EngineWriter,
  SqlFragments,
  Statement,
  Transaction,
  Writer,
} from '../dialect/dialect.ts'

const COMMAND_LINE: Actor = { key_id: 'cli', key_name: null, address: null }

export class LoggedWriter implements Writer {
  readonly #writer: EngineWriter

  constructor(writer: EngineWriter) {
    this.#writer = writer
  }

  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    actor = COMMAND_LINE,
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.#writer.transaction(work, ({ sql, changes }) => logStatements(sql, changes, actor), signal)
  }

  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#writer.inTurn(work)
  }
}

/** One statement per entry. */
function logStatements(
  { appendChange }: SqlFragments,
  changes: Change[],
  { key_id, key_name, address }: Actor,
): Statement[] {
  const time = new Date().toISOString()
  const token = generateVersion()
  return mergeChanges(changes).map(({ project, action, subject, element = null, counts, version = null }) => {
    const countsText = counts ? JSON.stringify(counts) : null
    const values = [action, subject, element, countsText, version]
    return [appendChange, project, token, time, key_id, key_name, address, ...values]
  })
}

/**
 * One entry per action and subject, with the sum of the counts and the last version of the subject. Sorted by project, so
 * that two transactions cannot wait for each other.
 */
function mergeChanges(changes: Change[]): Change[] {
  const entries = new Map<string, Change>()
  const versions = new Map<string, Change['version']>()
  for (const change of changes) {
    const name = `${change.action} ${subjectName(change)}`
    const entry = entries.get(name)
    entries.set(name, entry ? mergeTwo(entry, change) : change)
    versions.set(subjectName(change), change.version)
  }
  return [...entries.values()]
    .map((entry) => ({ ...entry, version: versions.get(subjectName(entry)) ?? null }))
    .sort((a, b) => a.project - b.project)
}

/** An evaluation and a variant can have the same id. */
function subjectName({ project, action, subject }: Change): string {
  return `${project} ${subjectTypeOf(action)} ${subject}`
}

function mergeTwo(entry: Change, { element, counts }: Change): Change {
  const { element: firstElement, ...merged } = entry
  return {
    ...merged,
    ...(firstElement !== undefined && firstElement === element && { element }),
    counts: addCounts(entry.counts ?? {}, counts ?? {}),
  }
}

function addCounts(a: Counts, b: Counts): Counts {
  const names = new Set([...Object.keys(a), ...Object.keys(b)] as (keyof Counts)[])
  return Object.fromEntries([...names].map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]))
}
