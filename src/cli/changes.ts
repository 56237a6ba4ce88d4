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
import { print, sanitizeLine } from './output/terminal-text.ts'
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
        let count = 0
        for await (const rows of readAllChanges(snapshot, selection)) {
          const entries = rows.map(toAuditEntry)
          if (!settings.json) print(entries.map(formatEntry).join('\n'))
          else
            print(`${count === 0 ? '[' : ','}${entries.map((entry) => JSON.stringify(entry)).join(',\n ')}`)
          count += rows.length
        }
        if (settings.json) print(count === 0 ? '[]' : ']')
        else if (count === 0) print(`The project '${settings.project}' has no such changes.`)
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

function formatEntry(entry: AuditEntry): string {
  const { time, action, key_id, key_name, address, counts } = entry
  const actor = [key_id, key_name, address].filter((part) => part !== null).join(' ')
  const subject = [entry.evaluation_id, entry.variant_id, entry.public_id].find((id) => id !== null)
  const element = entry.scenario_id ?? entry.revision
  const countTexts = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  const details = [subject, element, ...(element === null ? countTexts : [])].filter((part) => part !== null)
  return sanitizeLine(`${time}  ${action.padEnd(18)}  ${details.join(' ')}  (${actor})`)
}
