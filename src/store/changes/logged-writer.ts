// Write transactions that add their changes to the change log of the project.
import { subjectTypeOf } from '../../schema/changes.ts'
import { generateVersion } from '../../schema/ids.ts'
import { BaseConnection } from '../dialect/base-connection.ts'
import type {
  Actor,
  Batch,
  Change,
  Counts,
  EngineTransaction,
  EngineWriter,
  Read,
  SqlFragments,
  Statement,
  Transaction,
  Value,
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
  ): Promise<Result> {
    const changes: Change[] = []
    return this.#writer.transaction(
      (transaction) => work(new LoggedTransaction(transaction, changes)),
      ({ sql }) => logStatements(sql, changes, actor),
    )
  }
}

/** Collects changes. */
export class LoggedTransaction extends BaseConnection implements Transaction {
  readonly sql
  readonly #transaction: EngineTransaction
  readonly #changes: Change[]

  constructor(transaction: EngineTransaction, changes: Change[]) {
    super()
    this.sql = transaction.sql
    this.#transaction = transaction
    this.#changes = changes
  }

  recordChange(change: Change): void {
    this.#changes.push(change)
  }

  read(read: Read): Promise<unknown> {
    return this.#transaction.read(read)
  }

  run(statement: string, ...values: Value[]): Promise<number> {
    return this.#transaction.run(statement, ...values)
  }

  runMany(...batches: Batch[]): Promise<number> {
    return this.#transaction.runMany(...batches)
  }

  lock(...name: (string | number)[]): Promise<void> {
    return this.#transaction.lock(...name)
  }
}

/** One statement per project. */
function logStatements(
  { appendChanges }: SqlFragments,
  changes: Change[],
  { key_id, key_name, address }: Actor,
): Statement[] {
  const time = new Date().toISOString()
  // Ascending, so that two transactions cannot wait for each other.
  const projects = [...new Set(changes.map(({ project }) => project))].sort((a, b) => a - b)
  return projects.map((project) => {
    const entries = mergeChanges(changes.filter((change) => change.project === project))
    const token = generateVersion()
    return [appendChanges, project, token, time, key_id, key_name, address, JSON.stringify(entries)]
  })
}

/** One entry per action and subject, with the sum of the counts and the last version of the subject. */
function mergeChanges(changes: Change[]): Value[][] {
  const entries = new Map<string, Change>()
  const versions = new Map<string, string | null>()
  for (const change of changes) {
    const name = `${change.action} ${change.subject}`
    const entry = entries.get(name)
    entries.set(name, entry ? mergeTwo(entry, change) : change)
    if (change.version !== undefined) versions.set(subjectName(change), change.version)
  }
  return [...entries.values()].map((entry) => [
    entry.action,
    entry.subject,
    entry.element ?? null,
    entry.counts ? JSON.stringify(entry.counts) : null,
    versions.get(subjectName(entry)) ?? null,
  ])
}

/** An evaluation and a variant can have the same id. */
function subjectName({ action, subject }: Change): string {
  return `${subjectTypeOf(action)} ${subject}`
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
