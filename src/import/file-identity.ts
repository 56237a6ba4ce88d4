// The evaluation of a file that contains no id: an evaluation that an earlier state of the file was imported into, or a
// new one whose id is derived from the content.
import { createHash, type Hash, hash } from 'node:crypto'
import { Json } from '../json/value.ts'
import type { ImportOptions, StoredEvaluation } from './importer.ts'
import type { Source } from './source.ts'

export interface FileIdentity {
  /** The id of the evaluation. Files with several evaluations append to it. */
  id: string
  /** Describes the file in the metadata of its evaluations. Undefined if an option or the file names the evaluation. */
  file: Json | undefined
  /** Whether the stored evaluation contains the beginning of this file. */
  continuesStored: boolean
}

interface FileRun {
  /** The id in the file. */
  id?: string | undefined
  /** The name of the evaluation, or of one of them. */
  name: string
  /** Another name that the evaluation can have, from an earlier state of the file. */
  earlierName?: string | undefined
  /** The tool, without its version. */
  source: string
  /** What else the scenarios depend on, such as the roles of columns. */
  variation?: string | undefined
  /** Whether the evaluation of a file of the same name can be continued with other rows. Default: always. */
  isSameRun?(id: string): Promise<boolean>
}

/**
 * Finds the evaluation of a file, in this order: the one that an option or the file names; the one with the same content; if scenarios can be replaced or skipped,
 * the newest one from a file of the same name and run; the one that contains the beginning of this file.
 */
export async function identifyFile(
  source: Source,
  { id, name, earlierName = name, source: tool, variation = '', isSameRun = async () => true }: FileRun,
  { evaluation, variant, on_conflict, stored }: ImportOptions,
): Promise<FileIdentity> {
  const knownId = evaluation ?? id
  if (knownId !== undefined) return { id: knownId, file: undefined, continuesStored: false }
  const fileName = nameOf(source)
  // Files with several evaluations append a number to the name of the variant.
  const named = await stored.findEvaluations(name, tool)
  if (earlierName !== name) named.push(...(await stored.findEvaluations(earlierName, tool)))
  const candidates = named.filter(
    (candidate) =>
      fileOf(candidate)?.get('name')?.string === fileName &&
      (variant === undefined || `${candidate.variant_id}:`.startsWith(`${variant}:`)),
  )
  const { bytes, sha256, prefixes } = await computeDigests(source, candidates.map(sizeOf))
  const variationId = variation === '' ? undefined : hash('sha256', variation, 'hex').slice(0, 16)
  const file = Json.object([
    ['name', fileName === undefined ? undefined : Json.of(fileName)],
    ['bytes', Json.of(bytes)],
    ['sha256', Json.of(sha256)],
    ['columns', variationId === undefined ? undefined : Json.of(variationId)],
  ])
  const isSameVariation = (candidate: StoredEvaluation) =>
    fileOf(candidate)?.get('columns')?.string === variationId
  const equal = (await stored.findFile(sha256, tool)).find(isSameVariation)
  if (equal) return { id: baseId(equal.id), file, continuesStored: false }
  const [newest] = candidates
  const canReplace = newest && fileName !== undefined && on_conflict !== 'error'
  if (canReplace && (await isSameRun(baseId(newest.id))))
    return { id: baseId(newest.id), file, continuesStored: false }
  const beginnings = candidates.filter(
    (candidate) => prefixes.get(sizeOf(candidate)) === fileOf(candidate)?.get('sha256')?.string,
  )
  // More rows can change what is detected, such as the type of a column that was empty before.
  const beginning =
    beginnings.find(isSameVariation) ?? beginnings.find((candidate) => sizeOf(candidate) < bytes)
  if (beginning) return { id: baseId(beginning.id), file, continuesStored: true }
  const digest = variation === '' ? sha256 : hash('sha256', `${sha256.slice(0, 16)} ${variation}`, 'hex')
  return { id: digest.slice(0, 16), file, continuesStored: false }
}

/** The name without its folder. Undefined for standard input and for an upload without a name. */
function nameOf({ name }: Source): string | undefined {
  const base = name.replace(/^.*[/\\]/, '')
  return base === '-' || base === UNNAMED_UPLOAD ? undefined : base
}

/** The name of an upload that has none. */
const UNNAMED_UPLOAD = 'import'

function fileOf({ metadata }: StoredEvaluation): Json | undefined {
  return metadata?.get('file')
}

function sizeOf(candidate: StoredEvaluation): number {
  return fileOf(candidate)?.get('bytes')?.number ?? 0
}

/** Ids derived from content contain no colon. A suffix distinguishes the evaluations of one file. */
function baseId(id: string): string {
  return id.split(':', 1)[0] as string
}

/** The digest of the file, and those of its first bytes by their number. Reads the file once. */
async function computeDigests(source: Source, sizes: number[]) {
  const remainingSizes = [...new Set(sizes)].filter((size) => size > 0).sort((a, b) => a - b)
  const prefixes = new Map<number, string>()
  const digest = createHash('sha256')
  let bytes = 0
  for await (const chunk of source.chunks()) {
    let start = 0
    for (; (remainingSizes[0] ?? Infinity) <= bytes + chunk.length; remainingSizes.shift()) {
      const size = remainingSizes[0] as number
      digest.update(chunk.subarray(start, size - bytes))
      start = size - bytes
      prefixes.set(size, hexOf(digest))
    }
    digest.update(chunk.subarray(start))
    bytes += chunk.length
  }
  return { bytes, sha256: hexOf(digest), prefixes }
}

/** A copy is used, so that more can be added. */
function hexOf(digest: Hash): string {
  return digest.copy().digest('hex')
}
