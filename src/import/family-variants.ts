// Finds the variant of each member of a family, such as the columns of a promptfoo file, so that a history goes on when columns are added, removed, moved or edited.
import type { Json } from '../json/value.ts'
import type { ImportEvent } from '../schema/import-events.ts'
import type { ImportOptions, StoredData, StoredVariant } from './importer.ts'
import { withoutSecrets } from './secrets.ts'
import { runEvents, type ToolRun, toId } from './tool-run.ts'

/** What identifies a column, and the variant that continues it. */
interface Configuration {
  /** As it is stored. */
  label: string
  /** The label of the provider, else its id. */
  provider: string | undefined
  /** As they are stored, without secrets. */
  parameters: Json
}

interface ColumnRun extends Configuration {
  /** The id of the evaluation. */
  id: string
  /** The variant of the evaluation, if it is stored. */
  storedVariant: string | undefined
}

/** A family consists of the variants `family` and `family:NUMBER`. */
function isMember(family: string, variant: string): boolean {
  return numberOf(family, variant) !== undefined
}

function numberOf(family: string, variant: string): number | undefined {
  if (variant === family) return 0
  const number = variant.startsWith(`${family}:`) ? variant.slice(family.length + 1) : ''
  return /^\d{1,9}$/.test(number) ? Number(number) : undefined
}

/** What columns and variants must have in common, from the strongest evidence to the weakest. */
const STEPS: { among: 'family' | 'latest run'; isUnique?: boolean; key(item: Configuration): unknown[] }[] = [
  { among: 'family', key: ({ label, provider, parameters }) => [label, provider, parameters.text] },
  { among: 'family', key: ({ label, provider }) => [label, provider] },
  { among: 'family', key: ({ label, parameters }) => [label, parameters.text] },
  // Another provider, then another prompt.
  { among: 'latest run', isUnique: true, key: ({ label }) => [label] },
  { among: 'latest run', isUnique: true, key: ({ provider }) => [provider] },
]
/** The position alone. It says nothing if columns were added or removed. */
const LAST_STEP: (typeof STEPS)[number] = { among: 'latest run', key: () => [] }

/** The events of the evaluations of a family, named `title` if no option names the variant. */
export async function* familyEvents(
  title: string,
  runs: readonly Omit<ToolRun, 'variant'>[],
  options: ImportOptions,
): AsyncGenerator<ImportEvent> {
  const { variant, stored } = options
  const family = toId(variant ?? title)
  const columns: ColumnRun[] = []
  const moved = new Set<string>()
  for (const { id, label, provider, parameters } of runs) {
    const evaluation = await stored.findEvaluation(id)
    const isSame = evaluation?.label === label && evaluation?.provider === (provider ?? null)
    // After columns were inserted or moved, the id is that of another prompt or provider.
    if (evaluation && evaluation.label !== null && !isSame) moved.add(id)
    const storedVariant = moved.has(id) ? undefined : (evaluation?.variant_id ?? undefined)
    const isRequested =
      storedVariant !== undefined && (variant === undefined || isMember(family, storedVariant))
    columns.push({
      id,
      // A member without a label has the name of its configuration, which is the provider.
      label: label ?? toId(provider ?? ''),
      provider,
      parameters: withoutSecrets(parameters, () => undefined),
      storedVariant: isRequested ? storedVariant : undefined,
    })
  }
  const variants =
    variant !== undefined && runs.length === 1 ? [variant] : await assignVariants(family, columns, stored)
  for (const [index, run] of runs.entries()) {
    const isVariantNamedByFile =
      run.isVariantNamedByFile === true && variant === undefined && !moved.has(run.id)
    const content = { ...run, variant: variants[index] as string, isVariantNamedByFile }
    yield* runEvents(content, { ...options, evaluation: undefined, variant: undefined })
  }
}

/** The variants of the columns, in the same order. Of equal columns, the first gets the first of the equal variants. */
async function assignVariants(
  family: string,
  columns: readonly ColumnRun[],
  stored: StoredData,
): Promise<string[]> {
  const members = (await stored.findVariants(family)).filter(({ id }) => isMember(family, id))
  const latestRun = findLatestRun(members)
  const variants = [...latestRun, ...members.filter((variant) => !latestRun.includes(variant))]
  const assigned = new Map<ColumnRun, string>()
  for (const column of columns) if (column.storedVariant) assigned.set(column, column.storedVariant)
  for (const { among, isUnique, key } of columns.length === latestRun.length
    ? [...STEPS, LAST_STEP]
    : STEPS) {
    const keyOf = (item: Configuration) => JSON.stringify(key(item))
    const taken = new Set(assigned.values())
    const openVariants = (among === 'family' ? variants : latestRun).filter(({ id }) => !taken.has(id))
    const openColumns = columns.filter((column) => !assigned.has(column))
    const variantsByKey = Map.groupBy(openVariants, (variant) => keyOf(configurationOf(variant)))
    for (const [key, equalColumns] of Map.groupBy(openColumns, keyOf)) {
      const equalVariants = variantsByKey.get(key) ?? []
      if (isUnique && (equalColumns.length > 1 || equalVariants.length > 1)) continue
      for (const [index, column] of equalColumns.slice(0, equalVariants.length).entries())
        assigned.set(column, equalVariants[index]?.id as string)
    }
  }
  const [only] = columns
  if (members.length === 0 && columns.length === 1 && only) return [assigned.get(only) ?? family]
  const usedNumbers = new Set(
    [...members.map(({ id }) => id), ...assigned.values()].map((id) => numberOf(family, id)),
  )
  return columns.map((column) => assigned.get(column) ?? `${family}:${takeFreeNumber(usedNumbers)}`)
}

function configurationOf({ config_name, parameters, latest_evaluation }: StoredVariant): Configuration {
  const label = latest_evaluation?.label ?? toId(config_name)
  const provider = latest_evaluation?.provider ?? parameters.get('provider')?.string
  return { label, provider, parameters }
}

/** The variants whose newest evaluation belongs to the newest run, in the order of its columns. */
function findLatestRun(variants: readonly StoredVariant[]): StoredVariant[] {
  const timeOf = ({ latest_evaluation }: StoredVariant) => latest_evaluation?.created_at ?? ''
  const [first, ...others] = variants
  if (!first) return []
  const newest = others.reduce(
    (latest, variant) => (timeOf(variant) > timeOf(latest) ? variant : latest),
    first,
  )
  return variants
    .filter((variant) => runOf(variant) === runOf(newest))
    .toSorted((a, b) => positionOf(a) - positionOf(b))
}

/** The id of an evaluation ends with the number of its column, if the run has several. */
const COLUMN_NUMBER = /:(\d+)$/

function runOf({ latest_evaluation }: StoredVariant): string | undefined {
  return latest_evaluation?.family ?? latest_evaluation?.id
}

function positionOf({ latest_evaluation }: StoredVariant): number {
  return Number(COLUMN_NUMBER.exec(latest_evaluation?.id ?? '')?.[1] ?? 0)
}

function takeFreeNumber(used: Set<number | undefined>): number {
  let number = 0
  while (used.has(number)) number += 1
  used.add(number)
  return number
}
