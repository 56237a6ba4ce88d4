// Shared by the importers for files from other tools: creates the events of a run, and turns a scenario builder into a
// validated scenario event.
import { hash } from 'node:crypto'
import { type RecordLimits, scanRecord } from '../json/records.ts'
import { Json } from '../json/value.ts'
import type { EvaluationStatus } from '../schema/evaluations.ts'
import { isId } from '../schema/ids.ts'
import type { ImportEvent, ParsedRecord, RecordLocation } from '../schema/import-events.ts'
import { checkScenario } from '../schema/scenarios.ts'
import { normalizeTime } from '../schema/times.ts'
import { type ParsedValue, parsedValue } from '../schema/validation/parsed-value.ts'
import { identifyFile } from './file-identity.ts'
import type { ImportOptions } from './importer.ts'
import { rejectionNote, rejectionsOf, repairNote } from './read-records.ts'
import { MAX_PARTS, type ScenarioBuilder } from './scenario-builder.ts'
import { withoutSecrets } from './secrets.ts'
import type { Source } from './source.ts'
import { validateContent, validateRecord } from './validate-record.ts'

/** A run of one configuration over a test set, as described by a file. */
export interface ToolRun {
  /** The id of the evaluation. */
  id: string
  name?: string | undefined
  /** The tool, and its version if known. */
  source: string
  version?: string | undefined
  created_at?: string | undefined
  /** The application under test. It stays the same across configurations. */
  variant: string
  /** Whether the variant is named after the file only. An evaluation that exists keeps its variant then. */
  isVariantNamedByFile?: boolean | undefined
  /** The configuration that ran: prompt, model and settings. */
  config_name: string
  parameters: Json
  author?: string | undefined
  status?: EvaluationStatus | undefined
  evaluators?:
    | { name: string; higher_is_better?: boolean | undefined; threshold?: number | undefined }[]
    | undefined
  metadata?: Json | undefined
  /** If the file has several prompts or providers, or can have several. */
  family?: string | undefined
  label?: string | undefined
  provider?: string | undefined
  /** For files without an id: see FileIdentity. */
  file?: Json | undefined
  continuesStored?: boolean
}

/** The events for the variant, the revision that ran and the evaluation. Secrets are masked, with a note. */
export function* runEvents(run: ToolRun, options: ImportOptions): Generator<ImportEvent> {
  const location = { index: 0, line: 1 }
  const maskedPointers: string[] = []
  const parameters = withoutSecrets(run.parameters, (pointer) => maskedPointers.push(`/parameters${pointer}`))
  const metadata =
    run.metadata && withoutSecrets(run.metadata, (pointer) => maskedPointers.push(`/metadata${pointer}`))
  for (const pointer of maskedPointers) yield repairNote(null, 1, pointer, 'A secret was masked.')
  const created_at = run.created_at === undefined ? undefined : normalizeTime(run.created_at)
  const variant = options.variant ?? toId(run.variant)
  const timestamps = created_at === undefined ? {} : { created_at }
  yield { kind: 'variant', id: variant, content: parsedValue({ name: variant, ...timestamps }) }
  const config = { config_name: run.config_name, parameters: {} }
  const revision = parsedValue({ modified_by: run.author ?? 'import', config, ...timestamps })
  const configText = `{"config_name":${JSON.stringify(run.config_name)},"parameters":${parameters.text}}`
  const texts = new Map(revision.memberTexts).set('config', configText)
  const content = { value: revision.value, memberTexts: texts }
  const isNamedAfterVariant = run.config_name === run.variant
  yield { kind: 'revision', place: location, content, isNamedAfterVariant }
  yield evaluationEvent(run, addFile(metadata, run.file), timestamps, options)
}

/** What a file says about its run. Without a name, variant or configuration, the run is named after the file. */
type FileRun = { [Member in keyof ToolRun]?: ToolRun[Member] | undefined } & { source: string }

/** The run of a file with one evaluation. `details`: see identifyFile. */
export async function describeRun(
  file: Source,
  run: FileRun,
  options: ImportOptions,
  details: Partial<Parameters<typeof identifyFile>[1]> = {},
): Promise<ToolRun> {
  const stem = fileStem(file.name)
  const { id, source, name = stem, variant = stem, isVariantNamedByFile = run.variant === undefined } = run
  return {
    ...run,
    name,
    variant,
    isVariantNamedByFile,
    // Files of one variant share one configuration name.
    config_name: run.config_name ?? options.variant ?? variant,
    parameters: run.parameters ?? Json.object([]),
    ...(await identifyFile(file, { id, name, source, ...details }, options)),
  }
}

/** Adds the description of the file to the metadata. */
function addFile(metadata: Json | undefined, file: Json | undefined): Json | undefined {
  if (!file) return metadata
  const { file: ownFile, ...members } = Object.fromEntries(metadata?.members ?? [])
  return Json.object([...Object.entries(members), ['source_file', ownFile], ['file', file]])
}

function evaluationEvent(
  run: ToolRun,
  metadata: Json | undefined,
  timestamps: object,
  options: ImportOptions,
): ParsedRecord {
  const { id, name, source, version, family, label, provider, status, evaluators = [] } = run
  const evaluation = parsedValue({
    name: name ?? id,
    source: version === undefined ? source : `${source} ${version}`,
    ...timestamps,
    family,
    label,
    provider,
    status,
    evaluators: evaluators.length > 0 ? evaluators.map(withoutUndefined) : undefined,
  })
  const texts = new Map(evaluation.memberTexts)
  if (metadata && metadata.text !== '{}') texts.set('metadata', metadata.text)
  const value = JSON.parse(JSON.stringify(evaluation.value)) as object
  return {
    kind: 'evaluation',
    id: options.evaluation ?? toId(id),
    content: { value, memberTexts: texts },
    ranRevision: true,
    isVariantNamedByFile: run.isVariantNamedByFile === true && options.variant === undefined,
    continuesStored: run.continuesStored === true,
  }
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value
}

/** The event for a scenario, or its rejections. Secrets in `extra` are masked, with a note. */
export function* scenarioEvents(
  builder: ScenarioBuilder,
  { index, line }: RecordLocation,
  limits: RecordLimits,
  position: { evaluation?: number; order?: number } = {},
): Generator<ImportEvent> {
  if (builder.hasTooManyParts) {
    yield rejectionNote(
      { index, line },
      '',
      `The scenario has more than ${MAX_PARTS} inputs, answers and results.`,
    )
    return
  }
  const maskedPointers: string[] = []
  builder.id = toId(builder.id)
  const members = builder.members((extra) =>
    withoutSecrets(extra, (pointer) => maskedPointers.push(`/extra${pointer}`)),
  )
  const scenario = Json.object(members)
  const record = index + 1
  for (const pointer of maskedPointers) yield repairNote(record, line, pointer, 'A secret was masked.')
  // A character has up to 3 bytes.
  if (
    3 * scenario.text.length > limits.record_bytes &&
    Buffer.byteLength(scenario.text) > limits.record_bytes
  ) {
    const detail = `The scenario made from this record is larger than ${limits.record_bytes} bytes.`
    yield { kind: 'rejection', record, line, pointer: '', detail }
    return
  }
  const place = { index, line, offset: 0 }
  // Values were scanned when they were read, so the scenario is scanned only if it can exceed a limit nevertheless.
  const validated = scenario.isWithin(limits)
    ? validateContent(contentOf(scenario), place, checkScenario)
    : validateRecord(scanRecord(Buffer.from(scenario.text), place, limits), checkScenario)
  const { hasGeneratedId } = builder
  if (validated.content)
    yield {
      kind: 'scenario',
      place: { index, line },
      content: validated.content,
      hasGeneratedId,
      ...position,
    }
  else yield* rejectionsOf(validated)
}

function contentOf(scenario: Json): ParsedValue<unknown> {
  const value: Record<string, unknown> = {}
  const memberTexts = new Map<string, string>()
  for (const [name, member] of scenario.members) {
    value[name] = member.value
    memberTexts.set(name, member.text)
  }
  return { value, memberTexts }
}

/** Turns a text into an id. A text that is not a valid id is shortened and gets a digest. */
export function toId(text: string): string {
  if (isId(text)) return text
  const digest = hash('sha256', text, 'hex').slice(0, 8)
  const readableText = text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  return readableText === '' || /^\.+$/.test(readableText)
    ? `id-${digest}`
    : `${[...readableText].slice(0, 180).join('').trimEnd()}-${digest}`
}

/** The name of a file without folder and extension. */
export function fileStem(name: string): string {
  const stem = name.replace(/^.*[/\\]/, '').replace(/(\.(json|jsonl|ndjson|csv|tsv|parquet|eval))$/i, '')
  return stem === '' || stem === '-' ? 'import' : stem
}

/** Numbers equal ids in one file. Memory grows with the number of ids: a few bytes each. */
export class UniqueIds {
  readonly #counts = new Map<number, number>()

  makeUnique(id: string, evaluation = 0): string {
    const count = this.countOccurrence(id, evaluation)
    return count === 1 ? id : this.makeUnique(`${id} #${count}`, evaluation)
  }

  /** Counts the id, and returns how often it has occurred, including this time. */
  countOccurrence(id: string, evaluation = 0): number {
    const digest = hash('sha256', `${evaluation} ${id}`, 'buffer').readUIntBE(0, 6)
    const count = (this.#counts.get(digest) ?? 0) + 1
    this.#counts.set(digest, count)
    return count
  }
}

/** Ranks the numbers of each name, for repetitions whose order is not that of the file. Memory grows with the numbers. */
export class Ranks {
  readonly #numbers = new Map<string, number[]>()
  /** By name: the next rank of each number. */
  readonly #ranks = new Map<string, Map<number, number>>()
  /** Whether a name has several numbers. */
  hasRepeats = false

  /** Must be called for all numbers before `first` and `next`. */
  add(name: string, number: number): void {
    const numbers = this.#numbers.get(name)
    if (!numbers) this.#numbers.set(name, [number])
    else {
      numbers.push(number)
      this.hasRepeats = true
    }
  }

  /** The smallest number. */
  first(name: string): number | undefined {
    return this.#sort(name)[0]
  }

  /** The rank of a number, counted from 1. A number that occurs again has the next rank. */
  next(name: string, number: number): number {
    let ranks = this.#ranks.get(name)
    if (!ranks) {
      const sorted = this.#sort(name)
      if (sorted.length < 2) return 1
      ranks = new Map(sorted.map((other, index) => [other, index + 1] as const).toReversed())
      this.#ranks.set(name, ranks)
    }
    const rank = ranks.get(number) ?? 1
    ranks.set(number, rank + 1)
    return rank
  }

  #sort(name: string): number[] {
    const numbers = this.#numbers.get(name) ?? []
    return this.#ranks.has(name) ? numbers : numbers.sort((a, b) => a - b)
  }
}

/** Numbers the repetitions of samples in one file, and gives each an id of its own. */
export class Repetitions {
  readonly #counts = new UniqueIds()
  readonly #ids = new UniqueIds()

  next(sample: string, evaluation = 0): { id: string; repetition: number } {
    const repetition = this.#counts.countOccurrence(sample, evaluation)
    return { id: this.#ids.makeUnique(sample, evaluation), repetition }
  }
}

/** Distance between the sort keys of two samples. Room for the repetitions of the first one. */
const POSITION_STRIDE = 1_000_000

/** Orders scenarios by sample and repetition. Memory grows with the number of samples. */
export class SampleOrder {
  readonly #positions = new Map<string, number>()

  /** `ids`: the samples in order. Others follow in the order of their first occurrence. */
  constructor(ids: Iterable<string> = []) {
    for (const id of ids) this.#positionOf(id)
  }

  sortKey(id: string, repetition: number): number {
    return this.#positionOf(id) * POSITION_STRIDE + Math.min(repetition, POSITION_STRIDE - 1)
  }

  #positionOf(id: string): number {
    const position = this.#positions.get(id) ?? this.#positions.size
    this.#positions.set(id, position)
    return position
  }
}
