// assay changes: prints the change log of a project, with who made each change.
import { UsageError } from '../errors.ts'
import { ACTIONS } from '../schema/changes.ts'
import type { Settings } from '../settings/settings.ts'
import { findProject } from '../store/access/projects.ts'
import { type AuditEntry, type LogEntry, readAllChanges, toAuditEntry } from '../store/changes/change-log.ts'
import type { Store } from '../store/store.ts'
import type { Command } from './command.ts'
import { columnWidths, formatTable, print, sanitizeLine } from './output/terminal-text.ts'
import { withTarget } from './target/open-target.ts'
import type { ChangeFilters } from './target/target-types.ts'
import { withStore } from './target/with-store.ts'
import { readPastTime } from './validation.ts'

export const changes: Command = {
  details: {
    title: 'Actions, by what they change:',
    entries: Object.entries(ACTIONS).map(([subject, actions]) => [subject, actions.join(', ')] as const),
  },
  async run(settings) {
    const filters = readFilters(settings)
    if (settings.url === undefined)
      await withStore(settings, (store) => printChanges(readAuditLog(store, settings, filters), settings))
    else
      await withTarget(settings, (target) =>
        printChanges(target.listChanges(filters), { ...settings, project: target.project }),
      )
  },
}

async function printChanges(
  batches: AsyncIterable<Entry[]>,
  { json, project }: Pick<Settings, 'json' | 'project'>,
): Promise<void> {
  const printEntries = json ? printJson : tablePrinter()
  let isFirst = true
  for await (const entries of batches) {
    printEntries(entries, isFirst)
    isFirst = false
  }
  if (json) print(isFirst ? '[]' : ']')
  else if (isFirst) print(sanitizeLine(`The project '${project}' has no such changes.`))
}

/** Only the operator of a store can read who made a change, and entries about keys, so the API has no such operation. */
async function* readAuditLog(
  { reader }: Store,
  { project, key_id }: Settings,
  { actions, since, until }: ChangeFilters,
): AsyncGenerator<AuditEntry[]> {
  const conditions: [sql: string, ...values: string[]][] = [['1 = 1']]
  if (actions.length > 0) conditions.push([`action IN (${actions.map(() => '?').join(', ')})`, ...actions])
  if (key_id !== undefined) conditions.push(['key_id = ?', key_id])
  if (since !== undefined) conditions.push(['time >= ?', since])
  if (until !== undefined) conditions.push(['time < ?', until])
  const sql = conditions.map(([condition]) => condition).join(' AND ')
  const condition = [sql, ...conditions.flatMap(([, ...values]) => values)] as const
  const selection = { project: (await findProject(reader, project)) ?? -1, after: 0, condition }
  for await (const rows of readAllChanges(reader, selection)) yield rows.map(toAuditEntry)
}

function readFilters({ action: actions, key_id: keyId, since, until, url }: Settings): ChangeFilters {
  const known: string[] = Object.values(ACTIONS).flat()
  const unknownAction = actions.find((name) => !known.includes(name))
  if (unknownAction !== undefined)
    throw new UsageError(`Unknown action '${unknownAction}'. Use one of ${known.join(', ')}.`)
  if (url !== undefined && keyId !== undefined)
    throw new UsageError('--key-id works on a local store only: a service does not return who made a change.')
  return {
    actions,
    since: since === undefined ? undefined : readPastTime('since', since),
    until: until === undefined ? undefined : readPastTime('until', until),
  }
}

/** One entry per line. */
function printJson(entries: Entry[], isFirst: boolean): void {
  print(`${isFirst ? '[' : ','}${entries.map((entry) => JSON.stringify(entry)).join(',\n ')}`)
}

/** A service does not return who made a change. */
type Entry = LogEntry & Partial<AuditEntry>

const HEADINGS = ['TIME', 'ACTION', 'SUBJECT', 'DETAILS', 'KEY', 'ADDRESS', 'KEY NAME']

/** Prints one batch of entries after the other as one table. */
function tablePrinter(): (entries: Entry[], isFirst: boolean) => void {
  let widths: number[] = []
  return (entries, isFirst) => {
    const hasActor = entries[0]?.key_id !== undefined
    const headings = hasActor ? HEADINGS : HEADINGS.slice(0, 4)
    const rows = [...(isFirst ? [headings] : []), ...entries.map(toCells)]
    widths = columnWidths(rows, widths)
    print(formatTable(rows, widths))
  }
}

function toCells(entry: Entry): string[] {
  const { time, action, key_id, key_name, address, counts } = entry
  const subject = entry.evaluation_id ?? entry.variant_id ?? entry.public_id
  const element = entry.scenario_id ?? entry.review_id ?? entry.revision?.toString()
  const details =
    element ??
    Object.entries(counts)
      .map(([name, count]) => `${count} ${count === 1 ? name.slice(0, -1) : name}`)
      .join(', ')
  return [time, action, subject, details, key_id, address, key_name].map((cell) => sanitizeLine(cell ?? ''))
}
