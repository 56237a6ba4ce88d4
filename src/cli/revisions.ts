// assay revisions and diff: the revisions of a variant, and the changes between two of them.
import { splitElements, splitMembers } from '../json/member-texts.ts'
import type { VariantRevision } from '../schema/revisions.ts'
import type { Command } from './command.ts'
import { formatLineDiff } from './output/line-diff.ts'
import { formatCount } from './output/progress.ts'
import { formatTable, print, sanitizeLine, truncateLine } from './output/terminal-text.ts'
import { withTarget } from './target/open-target.ts'
import { resolveId } from './target/resolve-id.ts'

const MAX_CELL_LENGTH = 60
const MAX_VALUE_LENGTH = 200

export const revisions: Command = {
  argumentCount: [1, 1],
  async run(settings, [idOrName = '']) {
    await withTarget(settings, async (target) => {
      const variant = await resolveId(target, 'variant', idOrName)
      const rows: string[][] = []
      for await (const text of target.listRevisions(variant)) {
        if (settings.json) print(`${rows.length === 0 ? '[' : ' ,'}${text}`)
        rows.push(revisionCells(JSON.parse(text)))
      }
      if (settings.json) return print(rows.length === 0 ? '[]' : ']')
      if (rows.length === 0) return print(sanitizeLine(`The variant '${variant}' has no revisions.`))
      print(formatTable([['REVISION', 'CREATED', 'MODIFIED BY', 'CONFIG', 'MESSAGE'], ...rows]))
    })
  },
}

function revisionCells({ revision, created_at, modified_by, config, message }: VariantRevision): string[] {
  return [
    String(revision),
    created_at,
    ...[modified_by, config.config_name, message ?? ''].map((text) => truncateLine(text, MAX_CELL_LENGTH)),
  ]
}

export const diff: Command = {
  argumentCount: [3, 3],
  argumentHelp: 'a variant and two revision numbers (VARIANT A B)',
  async run(settings, [variant = '', from = '', to = '']) {
    const text = await withTarget(settings, async (target) =>
      target.diffRevisions(await resolveId(target, 'variant', variant), from, to),
    )
    print(settings.json ? text : formatDiff(text))
  },
}

/** One line per change, and the changed lines of texts. Other long values are truncated; --json prints them exactly. */
function formatDiff(text: string): string {
  const members = splitMembers(text)
  const lines: string[] = []
  const name = splitMembers(
    members.get('config_name') === 'null' ? '{}' : (members.get('config_name') ?? '{}'),
  )
  if (name.size > 0)
    lines.push(`config_name: ${formatValue(name.get('old'))} -> ${formatValue(name.get('new'))}`)
  const changes = splitElements(members.get('changes') ?? '[]').map(formatChange)
  const hiddenCount = Number(members.get('change_count')) - changes.length
  if (hiddenCount > 0) changes.push(`${formatCount(hiddenCount)} more changes`)
  lines.push(...changes)
  return lines.length === 0 ? 'The revisions have the same configuration.' : lines.join('\n')
}

function formatChange(change: string): string {
  const members = splitMembers(change)
  const textOf = (member: string) => JSON.parse(members.get(member) ?? 'null') as string | null
  const [path, oldPath, kind] = [textOf('path') ?? '', textOf('old_path'), textOf('kind')]
  const place = sanitizeLine(oldPath === null ? path : `${oldPath} -> ${path}`)
  if (kind === 'added') return `+ ${place}: ${formatValue(members.get('new'))}`
  if (kind === 'removed') return `- ${place}: ${formatValue(members.get('old'))}`
  if (kind === 'moved') return `  ${place}: moved`
  const [oldValue = '', newValue = ''] = [members.get('old'), members.get('new')]
  if (!isLongTextChange(oldValue, newValue))
    return `~ ${place}: ${formatValue(oldValue)} -> ${formatValue(newValue)}`
  const lines = formatLineDiff(JSON.parse(oldValue), JSON.parse(newValue))
  return [`~ ${place}:`, ...lines.map((line) => `    ${line}`)].join('\n')
}

/** Whether both values are JSON strings, and one of them is too long for a line, such as a prompt. */
function isLongTextChange(...values: string[]): boolean {
  const isLong = (value: string) => value.length > MAX_VALUE_LENGTH || value.includes('\\n')
  return values.every((value) => value.startsWith('"')) && values.some(isLong)
}

/** The JSON text of a value. */
function formatValue(text = ''): string {
  return truncateLine(text, MAX_VALUE_LENGTH)
}
