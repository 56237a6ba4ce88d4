// assay copy: copies a project between stores and services, and verifies each copy.
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { CommandError, UsageError } from '../errors.ts'
import { SETTINGS } from '../settings/setting-table.ts'
import { parseSetting } from '../settings/setting-types.ts'
import type { Settings } from '../settings/settings.ts'
import type { Command } from './command.ts'
import { type CopiedItem, copyItem } from './copy-item.ts'
import { countOf } from './output/progress.ts'
import { print, sanitizeLine } from './output/terminal-text.ts'
import { withTarget } from './target/open-target.ts'
import type { Target } from './target/target.ts'
import type { Noun } from './target/target-types.ts'
import { checkNames } from './validation.ts'

export const copy: Command = {
  argumentCount: [2, 2],
  argumentHelp: 'FROM and TO',
  details: {
    title: 'FROM and TO are one of:',
    entries: [
      ['DIR', 'The folder of an embedded store (SQLite). As TO, it is created if it does not exist.'],
      ['sqlite:FILE, postgres://…', 'A database URL. PGPASSWORD can contain the password of PostgreSQL.'],
      ['https://…, http://…', 'The URL of a service. Its API key determines the project.'],
    ],
  },
  async run(settings, [from = '', to = '']) {
    checkNames(settings, 'project')
    const [fromSettings, toSettings] = readEnds(settings, from, to)
    await withTarget(fromSettings, (source) => {
      rejectOtherProject(settings, source.project)
      const { to_project: project = source.project } = settings
      return withTarget({ ...toSettings, project }, (target) => copyProject(source, target, settings), true)
    })
  },
}

function readEnds(settings: Settings, from: string, to: string): [from: Settings, to: Settings] {
  const { from_key, to_key, key, project, to_project = project } = settings
  const fromSettings = readEnd('FROM', from, settings)
  const toSettings = readEnd('TO', to, settings)
  const areServices = fromSettings.url !== undefined && toSettings.url !== undefined
  if (areServices && (from_key === undefined || to_key === undefined))
    throw new UsageError('Two services need two API keys. Set ASSAY_FROM_KEY and ASSAY_TO_KEY.')
  if (toSettings.url !== undefined && settings.to_project !== undefined)
    throw new UsageError(
      '--to-project cannot be combined with a service: the API key determines the project.',
    )
  if (!areServices && locationOf(fromSettings) === locationOf(toSettings) && project === to_project)
    throw new UsageError('FROM and TO are the same project. Use --to-project NAME for another project.')
  return [
    { ...fromSettings, key: from_key ?? key },
    { ...toSettings, key: to_key ?? key },
  ]
}

/** A service has only the project of its key. The default of the setting is not a choice of the user. */
function rejectOtherProject({ project }: Settings, sourceProject: string): void {
  if (project === sourceProject || project === SETTINGS.project.default) return
  throw new UsageError(
    `The API key of FROM is for the project '${sourceProject}', not '${project}'. Use --to-project for the project in TO.`,
  )
}

/** The settings that select a store or a service. Copied records were valid before, so the largest limit applies. */
function readEnd(name: string, text: string, settings: Settings): Settings {
  const max_record_bytes = SETTINGS.max_record_bytes.range[1]
  if (/^https?:/i.test(text)) {
    const url = parseSetting(name, SETTINGS.url, text) as string
    return { ...settings, max_record_bytes, url }
  }
  if (/^(sqlite|postgres|postgresql):/i.test(text))
    return { ...settings, max_record_bytes, url: undefined, database: text, data: tmpdir() }
  const data = parseSetting(name, SETTINGS.data, text) as string
  return { ...settings, max_record_bytes, url: undefined, database: undefined, data }
}

function locationOf({ url, database, data }: Settings): string {
  return url ?? database ?? resolve(data)
}

interface CopyReport {
  project: string
  to_project: string
  variants: CopyCounts
  evaluations: CopyCounts
  failed: Pick<CopiedItem, 'noun' | 'id' | 'failure'>[]
}

interface CopyCounts {
  copied: number
  unchanged: number
}

async function copyProject(source: Target, target: Target, settings: Settings): Promise<void> {
  source.checkScopes('read')
  target.checkScopes('read', 'write')
  if (!(await source.hasProject()))
    throw new CommandError(`There is no project '${source.project}' in FROM.`, 'Check FROM and --project.')
  const report: CopyReport = {
    project: source.project,
    to_project: target.project,
    variants: { copied: 0, unchanged: 0 },
    evaluations: { copied: 0, unchanged: 0 },
    failed: [],
  }
  for (const noun of ['variant', 'evaluation'] as const)
    for (const id of await listIds(source, noun)) {
      const item = await copyItem(source, target, noun, id, settings)
      if (item.failure !== undefined) report.failed.push({ noun, id, failure: item.failure })
      else report[`${noun}s`][item.isUnchanged ? 'unchanged' : 'copied'] += 1
    }
  if (settings.json) print(JSON.stringify(report, null, 2))
  else printReport(report)
  if (report.failed.length > 0)
    throw new CommandError(
      `${countOf(report.failed.length, 'evaluation or variant', 'evaluations or variants')} could not be copied exactly.`,
      'The lines above explain why. Delete them in TO with assay delete, then run the command again.',
    )
}

/** Oldest first, so that lists with equal times have the same order in the copy. */
async function listIds(source: Target, noun: Noun): Promise<string[]> {
  const ids: string[] = []
  for await (const text of source.list(noun, { order: 'created_at.asc' }))
    ids.push((JSON.parse(text) as { id: string }).id)
  return ids
}

function printReport({ project, to_project, variants, evaluations, failed }: CopyReport): void {
  for (const { noun, id, failure } of failed) print(sanitizeLine(`${noun} ${id}: ${failure}`))
  const describe = (count: keyof CopyCounts) =>
    `${countOf(variants[count], 'variant')} and ${countOf(evaluations[count], 'evaluation')}`
  print(sanitizeLine(`Copied from the project '${project}' to '${to_project}': ${describe('copied')}.`))
  print(`Unchanged: ${describe('unchanged')}.`)
}
