// assay changes: prints the change log of a project, with who made each change.
import { UsageError } from '../errors.ts'
import { ACTIONS } from '../schema/changes.ts'
import type { Settings } from '../settings/settings.ts'
import { findProject } from '../store/access/projects.ts'
import {
  type AuditEntry,
  type LogSelection,
  readAllChanges,
  toAuditEntry,
} from '../store/changes/change-log.ts'
import type { Command } from './command.ts'
import { columnWidths, formatTable, print, sanitizeLine } from './output/terminal-text.ts'
import { readPastTime } from './validation.ts'
import { withStore } from './with-store.ts'

export const changes: Command = {
  details: {
    title: 'Actions, by what they change:',
    entries: Object.entries(ACTIONS).map(([subject, actions]) => [subject, actions.join(', ')] as const),
  },
  async run(settings) {
    const condition = readCondition(settings)
    await withStore(settings, async ({ reader }) => {
      const project = (await findProject(reader, settings.project)) ?? -1
      const selection = { project, after: 0, condition }
      await reader.snapshot('long', async (snapshot) => {
        const printEntries = settings.json ? printJson : tablePrinter()
        let isFirst = true
        for await (const rows of readAllChanges(snapshot, selection)) {
          printEntries(rows.map(toAuditEntry), isFirst)
          isFirst = false
        }
        if (settings.json) print(isFirst ? '[]' : ']')
        else if (isFirst) print(`The project '${settings.project}' has no such changes.`)
      })
    })
  },
}

/** The filters as an SQL condition. */
function readCondition({ action, key_id, since, until }: Settings): LogSelection['condition'] {
  const known: string[] = Object.values(ACTIONS).flat()
  const unknownAction = action.find((name) => !known.includes(name))
  if (unknownAction !== undefined)
    throw new UsageError(`Unknown action '${unknownAction}'. Use one of ${known.join(', ')}.`)
  const conditions: [sql: string, ...values: string[]][] = []
  if (action.length > 0) conditions.push([`action IN (${action.map(() => '?').join(', ')})`, ...action])
  if (key_id !== undefined) conditions.push(['key_id = ?', key_id])
  if (since !== undefined) conditions.push(['time >= ?', readPastTime('since', since)])
  if (until !== undefined) conditions.push(['time < ?', readPastTime('until', until)])
  const sql = ['1 = 1', ...conditions.map(([condition]) => condition)].join(' AND ')
  return [sql, ...conditions.flatMap(([, ...values]) => values)]
}

/** One entry per line. */
function printJson(entries: AuditEntry[], isFirst: boolean): void {
  print(`${isFirst ? '[' : ','}${entries.map((entry) => JSON.stringify(entry)).join(',\n ')}`)
}

const HEADINGS = ['TIME', 'ACTION', 'SUBJECT', 'DETAILS', 'KEY', 'ADDRESS', 'KEY NAME']

/** Prints one batch of entries after the other as one table. */
function tablePrinter(): (entries: AuditEntry[], isFirst: boolean) => void {
  let widths: number[] = []
  return (entries, isFirst) => {
    const rows = [...(isFirst ? [HEADINGS] : []), ...entries.map(toCells)]
    widths = columnWidths(rows, widths)
    print(formatTable(rows, widths))
  }
}

function toCells(entry: AuditEntry): string[] {
  const { time, action, key_id, key_name, address, counts } = entry
  const subject = entry.evaluation_id ?? entry.variant_id ?? entry.public_id
  const element = entry.scenario_id ?? entry.revision?.toString()
  const details =
    element ??
    Object.entries(counts)
      .map(([name, count]) => `${count} ${count === 1 ? name.slice(0, -1) : name}`)
      .join(', ')
  return [time, action, subject, details, key_id, address, key_name].map((cell) => sanitizeLine(cell ?? ''))
}
