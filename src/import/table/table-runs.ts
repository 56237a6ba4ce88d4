// Creates the evaluations of a table: one, or one per model.
import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { assignVariants, isMember } from '../family-variants.ts'
import { type FileIdentity, identifyFile } from '../file-identity.ts'
import type { ImportOptions } from '../importer.ts'
import type { Source } from '../source.ts'
import { fileRun, fileStem, runEvents, type ToolRun, toId } from '../tool-run.ts'

interface TableRuns {
  /** The name of the importer. */
  importer: string
  /** What the file says about the run. */
  details: Partial<ToolRun>
  /** The models, each with an evaluation of its own. Empty if the table does not name them. */
  providers: readonly string[]
  /** What the scenarios depend on besides the content. */
  variation: string
}

export async function* tableRunEvents(
  source: Source,
  { importer, details, providers, variation }: TableRuns,
  options: ImportOptions,
): AsyncGenerator<ImportEvent> {
  const title = details.name ?? fileStem(source.name)
  const hasSeveral = providers.length > 1
  const nameOf = (provider: string | undefined) => (hasSeveral ? `${title}: ${provider}` : title)
  const description = {
    name: nameOf(providers[0]),
    earlierName: title,
    source: details.source ?? importer,
    variation,
  }
  const identity: Partial<FileIdentity> & { id: string } =
    details.id === undefined
      ? await identifyFile(source, description, options)
      : { id: options.evaluation ?? details.id }
  const run: ToolRun = {
    ...fileRun(source, importer, identity, options),
    ...details,
    isVariantNamedByFile: details.variant === undefined,
    ...identity,
  }
  if (!hasSeveral) {
    yield* runEvents({ ...run, provider: providers[0] }, options)
    return
  }
  const runs = providers.map((provider) => ({
    ...run,
    id: toId(`${identity.id}:${provider}`),
    family: toId(identity.id),
    provider,
    name: nameOf(provider),
    config_name: provider,
    parameters: Json.object([...run.parameters.members, ['provider', Json.of(provider)]]),
  }))
  const variants = await findVariants(run.variant, runs, options)
  for (const [index, member] of runs.entries())
    yield* runEvents(
      {
        ...member,
        variant: variants[index] as string,
        isVariantNamedByFile: run.isVariantNamedByFile === true && options.variant === undefined,
      },
      { ...options, evaluation: undefined, variant: undefined },
    )
}

/** The variants of models that were imported before stay the same when models are added or removed. */
async function findVariants(
  family: string,
  runs: readonly ToolRun[],
  { variant, stored }: ImportOptions,
): Promise<string[]> {
  const requested = toId(variant ?? family)
  const members = await Promise.all(
    runs.map(async ({ id, provider, parameters }) => {
      const storedVariant = (await stored.findEvaluation(id))?.variant_id ?? undefined
      const isRequested = storedVariant !== undefined && (!variant || isMember(requested, storedVariant))
      // A member without a label has the name of its configuration, which is the model.
      const label = toId(provider ?? '')
      return { id, label, provider, parameters, storedVariant: isRequested ? storedVariant : undefined }
    }),
  )
  return assignVariants(requested, members, stored)
}
