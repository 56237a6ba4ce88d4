// assay changes: prints the change log of a project, with who made each change.
import { UsageError } from '../errors.ts'
import { ACTIONS } from '../schema/changes.ts'
import type { Settings } from '../settings/settings.ts'
import type { AuditEntry, LogEntry } from '../store/changes/change-log.ts'
import type { Command } from './command.ts'
import { columnWidths, formatTable, print, sanitizeLine } from './output/terminal-text.ts'
import { withTarget } from './target/open-target.ts'
import type { ChangeFilters } from './target/target.ts'
import { readPastTime } from './validation.ts'

export const changes: Command = {
  details: {
    title: 'Actions, by what they change:',
    entries: Object.entries(ACTIONS).map(([subject, actions]) => [subject, actions.join(', ')] as const),
  },
  async run(settings) {
    const filters = readFilters(settings)
    await withTarget(settings, async (target) => {
      const printEntries = settings.json ? printJson : tablePrinter()
      let isFirst = true
      for await (const entries of target.listChanges(filters)) {
        printEntries(entries, isFirst)
        isFirst = false
      }
      if (settings.json) print(isFirst ? '[]' : ']')
      else if (isFirst) print(sanitizeLine(`The project '${target.project}' has no such changes.`))
    })
  },
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
    keyId,
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
  const element = entry.scenario_id ?? entry.revision?.toString()
  const details =
    element ??
    Object.entries(counts)
      .map(([name, count]) => `${count} ${count === 1 ? name.slice(0, -1) : name}`)
      .join(', ')
  return [time, action, subject, details, key_id, address, key_name].map((cell) => sanitizeLine(cell ?? ''))
}
