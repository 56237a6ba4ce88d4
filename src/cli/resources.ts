// assay list, show and delete: evaluations and variants of a project.
import { createInterface } from 'node:readline'
import { CommandError, UsageError } from '../errors.ts'
import { splitMembers } from '../json/member-texts.ts'
import type { Evaluation } from '../schema/evaluations.ts'
import type { Variant } from '../schema/variants.ts'
import type { Settings } from '../settings/settings.ts'
import type { Command } from './command.ts'
import { countOf, formatCount } from './output/progress.ts'
import { formatTable, print, sanitizeLine, truncateLine } from './output/terminal-text.ts'
import { withTarget } from './target/open-target.ts'
import { resolveId } from './target/resolve-id.ts'
import { readRowSelection, resolveBaseline } from './target/row-selection.ts'
import type { Target } from './target/target.ts'
import type { Noun } from './target/target-types.ts'

const MAX_CELL_LENGTH = 60

export const list: Command = {
  async run(settings) {
    const { variants, variant, limit, json } = settings
    if (variants && variant !== undefined)
      throw new UsageError('--variants and --variant cannot be combined.')
    const noun = variants ? 'variant' : 'evaluation'
    await withTarget(settings, async (target) => {
      const texts: string[] = []
      const filters = variant === undefined ? undefined : { variant_id: `eq.${variant}` }
      // One more element shows whether the list continues.
      for await (const text of target.list(noun, filters ?? {}, limit + 1)) texts.push(text)
      const shown = texts.slice(0, limit)
      if (json) return print(shown.length === 0 ? '[]' : `[${shown.join(',\n ')}]`)
      if (shown.length === 0)
        return print(sanitizeLine(`The project '${target.project}' has no such ${noun}s.`))
      const rows = shown.map((text) => (variants ? variantCells : evaluationCells)(JSON.parse(text)))
      print(formatTable([variants ? VARIANT_HEADINGS : EVALUATION_HEADINGS, ...rows]))
      if (texts.length > limit)
        print(`These are the newest ${formatCount(limit)}. Use --limit N to list more.`)
    })
  },
}

const EVALUATION_HEADINGS = ['ID', 'CREATED', 'SCENARIOS', 'VARIANT', 'NAME']

function evaluationCells({
  id,
  created_at,
  scenario_count,
  variant_id,
  revision,
  name,
}: Evaluation): string[] {
  const ranRevision = revision === null ? '' : ` r${revision}`
  return [
    sanitizeLine(id),
    created_at,
    formatCount(scenario_count),
    variant_id === null ? '' : `${truncateLine(variant_id, MAX_CELL_LENGTH)}${ranRevision}`,
    truncateLine(name ?? '', MAX_CELL_LENGTH),
  ]
}

const VARIANT_HEADINGS = ['ID', 'CREATED', 'REVISIONS', 'LATEST', 'NAME']

function variantCells({ id, created_at, revision_count, latest_revision, name }: Variant): string[] {
  return [
    sanitizeLine(id),
    created_at,
    formatCount(revision_count),
    latest_revision === null ? '' : `r${latest_revision}`,
    truncateLine(name ?? '', MAX_CELL_LENGTH),
  ]
}

export const show: Command = {
  argumentCount: [0, 1],
  argumentHelp: 'one evaluation, or --variant',
  async run(settings, ids) {
    const { noun, id: idOrName } = readResource(settings, ids)
    const rows = readRowSelection(settings)
    if (rows && noun === 'variant') throw new UsageError('--filter and --variant cannot be combined.')
    const text = await withTarget(settings, async (target) => {
      const id = await resolveId(target, noun, idOrName)
      const properties = await target.getText(noun, id)
      if (!rows) return properties
      const count = await target.countRows(id, await resolveBaseline(target, rows))
      return `${properties.slice(0, -1)},"matching_count":${count}}`
    })
    if (settings.json) return print(text)
    const members = [...splitMembers(text)].map(([name, value]) => [name, formatValue(value)])
    print(formatTable(members))
  },
}

/** A string without quotes and escapes, or other values as JSON. */
function formatValue(text: string): string {
  if (text === 'null') return ''
  return sanitizeLine(text.startsWith('"') ? (JSON.parse(text) as string) : text)
}

export const deleteResource: Command = {
  argumentCount: [0, 1],
  argumentHelp: 'one evaluation, or --variant',
  async run(settings, ids) {
    const { noun, id } = readResource(settings, ids)
    await withTarget(settings, async (target) => {
      if (process.stdin.isTTY && !settings.yes) await confirmDeletion(target, noun, id)
      await target.delete(noun, id)
    })
    print(
      settings.json ? JSON.stringify({ [`${noun}_id`]: id }) : sanitizeLine(`Deleted the ${noun} '${id}'.`),
    )
  },
}

/** Throws CommandError if the answer is not yes. */
async function confirmDeletion(target: Target, noun: Noun, id: string): Promise<void> {
  target.checkScopes('write')
  const { name, ...counts } = JSON.parse(await target.getText(noun, id)) as Evaluation & Variant
  const content =
    noun === 'evaluation'
      ? countOf(counts.scenario_count, 'scenario')
      : countOf(counts.revision_count, 'revision')
  const title = name === null || name === id ? '' : ` (${name})`
  if (await askYesNo(`Delete the ${noun} '${id}'${title} with ${content}?`)) return
  throw new CommandError(
    'Nothing was deleted.',
    'Answer y to delete it, or use --yes to delete without a question.',
  )
}

/** Standard output contains only results, so the question is on standard error. The end of the input means no. */
async function askYesNo(question: string): Promise<boolean> {
  process.stderr.write(`${sanitizeLine(question)} [y/N] `)
  for await (const answer of createInterface({ input: process.stdin })) return /^y(es)?$/i.test(answer.trim())
  process.stderr.write('\n')
  return false
}

function readResource({ variant }: Settings, [id]: string[]): { noun: Noun; id: string } {
  if (id !== undefined && variant === undefined) return { noun: 'evaluation', id }
  if (id === undefined && variant !== undefined) return { noun: 'variant', id: variant }
  throw new UsageError(
    id === undefined
      ? 'Name one evaluation, or a variant with --variant.'
      : 'An evaluation and --variant cannot be combined.',
  )
}
