// Creates the evaluations, variants and revisions of the columns of a promptfoo file.
import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { assignVariants, type ColumnRun, isMember } from '../family-variants.ts'
import { identifyFile } from '../file-identity.ts'
import type { ImportOptions } from '../importer.ts'
import { withoutSecrets } from '../secrets.ts'
import type { Source } from '../source.ts'
import { fileStem, runEvents, toId } from '../tool-run.ts'
import type { Column, Columns } from './columns.ts'

/** Longer prompt labels are shortened in the name of an evaluation. */
const MAX_LABEL_LENGTH = 40

export async function* columnEvents(
  source: Source,
  head: Json,
  columns: Columns,
  created_at: string | undefined,
  options: ImportOptions,
): AsyncGenerator<ImportEvent> {
  const evalId = head.get('evalId')?.string || head.get('id')?.string
  const config = head.get('config')
  const description = config?.get('description')?.string || undefined
  const title = description ?? fileStem(source.name)
  const version = head.get('metadata', 'promptfooVersion')?.string
  const columnRuns = columns.all.map(({ number, column }) => ({
    number,
    column,
    label: column.label,
    provider: withoutSecret(column.providerName ?? column.provider),
    parameters: Json.object([
      ['prompt', column.prompt],
      ['prompt_config', column.promptConfig],
      ['provider', toJson(column.provider)],
      ['config', column.config],
    ]),
  }))
  const names = nameColumns(title, columnRuns)
  const columnId = (runId: string, number: number) => toId(columns.hasSeveral ? `${runId}:${number}` : runId)
  /** Ids contain the position of a column. After columns were inserted or moved, other columns have these ids. */
  const isSameRun = async (runId: string) => {
    // The first column without a number can be another one now, if no other column is stored.
    let isOtherColumnKnown = false
    for (const [index, { number }] of columnRuns.entries()) {
      const id = columnId(runId, number)
      const named = await options.stored.findEvaluations(names[index] ?? title, 'promptfoo')
      if (named.every((evaluation) => evaluation.id !== id) && (await options.stored.findEvaluation(id)))
        return false
      isOtherColumnKnown ||= named.some((evaluation) => evaluation.id === id)
    }
    return isOtherColumnKnown || !columns.hasSeveral || !(await options.stored.findEvaluation(toId(runId)))
  }
  const { id, ...file } = evalId
    ? { id: options.evaluation ?? evalId, file: undefined }
    : await identifyFile(
        source,
        { name: names[0] ?? title, earlierName: title, source: 'promptfoo', isSameRun },
        options,
      )
  // While a file has only results of its first column, the id of that evaluation has no number. It stays the same.
  const hasUnnumbered =
    file.file !== undefined && (await options.stored.findEvaluation(toId(id))) !== undefined
  const runs = columnRuns.map((run) => ({
    ...run,
    id: run.number === 0 && hasUnnumbered ? toId(id) : columnId(id, run.number),
  }))
  const moved = await findMoved(runs, options)
  const variants = await findVariants(title, runs, moved, options)
  for (const [index, { column, ...run }] of runs.entries()) {
    const content = {
      ...run,
      ...file,
      family: toId(id),
      // A prompt without a label has its text as label.
      label: toId(run.label),
      name: names[index],
      source: version === undefined ? 'promptfoo' : `promptfoo ${version}`,
      created_at,
      variant: variants[index] as string,
      isVariantNamedByFile: options.variant === undefined && description === undefined && !moved.has(run.id),
      config_name: column.label,
      author: head.get('metadata', 'author')?.string ?? head.get('author')?.string,
      metadata: Json.object([
        ['tags', config?.get('tags')],
        ['derivedMetrics', derivedMetrics(config, column)],
      ]),
    }
    yield* runEvents(content, { ...options, evaluation: undefined, variant: undefined })
  }
}

/** The ids of stored evaluations of another prompt or provider: after columns were inserted or moved. */
async function findMoved(
  runs: Pick<ColumnRun, 'id' | 'label' | 'provider'>[],
  { stored }: ImportOptions,
): Promise<Set<string>> {
  const moved = new Set<string>()
  for (const { id, label, provider } of runs) {
    const evaluation = await stored.findEvaluation(id)
    const isSame = evaluation?.label === toId(label) && evaluation.provider === (provider ?? null)
    if (evaluation && evaluation.label !== null && !isSame) moved.add(id)
  }
  return moved
}

async function findVariants(
  title: string,
  runs: Omit<ColumnRun, 'storedVariant'>[],
  moved: ReadonlySet<string>,
  { variant, stored }: ImportOptions,
): Promise<string[]> {
  if (variant !== undefined && runs.length === 1) return [variant]
  const columns: ColumnRun[] = []
  for (const run of runs) {
    const storedVariant = moved.has(run.id)
      ? undefined
      : ((await stored.findEvaluation(run.id))?.variant_id ?? undefined)
    const isRequested =
      storedVariant !== undefined && (variant === undefined || isMember(variant, storedVariant))
    const parameters = withoutSecrets(run.parameters, () => undefined)
    columns.push({
      ...run,
      label: toId(run.label),
      parameters,
      storedVariant: isRequested ? storedVariant : undefined,
    })
  }
  return assignVariants(toId(variant ?? title), columns, stored)
}

/** The title, and what differs between the columns. */
function nameColumns(title: string, runs: Pick<ColumnRun, 'label' | 'provider'>[]): string[] {
  if (runs.length === 1) return [title]
  const hasOneLabel = new Set(runs.map(({ label }) => label)).size === 1
  const hasOneProvider = new Set(runs.map(({ provider }) => provider)).size === 1
  const counts = new Map<string, number>()
  return runs.map(({ label, provider }) => {
    const shortLabel = shorten(label)
    const both = provider === undefined ? shortLabel : `[${provider}] ${shortLabel}`
    const part = hasOneProvider ? shortLabel : hasOneLabel ? (provider ?? shortLabel) : both
    const count = (counts.get(part) ?? 0) + 1
    counts.set(part, count)
    return count === 1 ? `${title}: ${part}` : `${title}: ${part} #${count}`
  })
}

function shorten(label: string): string {
  const characters = [...label.replaceAll(/\s+/g, ' ').trim()]
  return characters.length <= MAX_LABEL_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_LABEL_LENGTH - 1).join('')}…`
}

/** The definitions of derived metrics, each with its value in a column. */
function derivedMetrics(config: Json | undefined, { namedScores }: Column): Json | undefined {
  const definitions = config?.get('derivedMetrics')?.elements ?? []
  const withScores = definitions.map((definition) => {
    const score = namedScores?.get(definition.get('name')?.string ?? '')
    return score ? Json.object(new Map(definition.members).set('score', score)) : definition
  })
  return withScores.length === 0 ? undefined : Json.array(withScores)
}

function withoutSecret(text: string | undefined): string | undefined {
  return text === undefined ? undefined : withoutSecrets(Json.of(text), () => undefined).string
}

function toJson(text: string | undefined): Json | undefined {
  return text === undefined ? undefined : Json.of(text)
}
