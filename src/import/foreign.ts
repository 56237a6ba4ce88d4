// What the importers of other tools' files have in common: from what a tool says of a run to the findings that
// stand for it, and from a draft to a scenario that can be kept.
import { hash } from 'node:crypto'
import type { RecordLimits } from '../json/records.ts'
import { completed } from '../json/records.ts'
import type { Json } from '../json/value.ts'
import type { Finding, Found, RecordPlace } from '../schema/findings.ts'
import { isId } from '../schema/ids.ts'
import { checkScenario } from '../schema/scenarios.ts'
import { normaliseTime } from '../schema/times.ts'
import { written } from '../schema/written.ts'
import { type Draft, MOST_PARTS } from './draft.ts'
import type { ImportOptions } from './importer.ts'
import { refusals, refuse, repair } from './reading.ts'
import { judgeRecord } from './records.ts'
import { withoutSecrets } from './secrets.ts'

/** Of what other tools write: numbers that JSON does not have, and no lists that are made to exhaust. */
export function foreignLimits(limits: RecordLimits): RecordLimits {
  return { ...limits, takesNaN: true, elements: 100_000 }
}

/** What a file says of a run of one configuration over a test set. */
export interface Run {
  /** Of the evaluation. */
  id: string
  name: string | undefined
  /** The tool, and its version where it is known. */
  source: string
  created_at: string | undefined
  /** What stays the same while people try one thing after the other. */
  variant: string
  /** What ran: its prompt, model and settings. */
  config_name: string
  parameters: Json
  author: string | undefined
  evaluators?: { name: string; higher_is_better?: boolean | undefined; threshold?: number | undefined }[]
  metadata?: Json
}

/** The variant, the revision that ran and the evaluation. What is secret in them is masked, and told. */
export function* runFindings(run: Run, options: ImportOptions): Generator<Found> {
  const place = { index: 0, line: 1 }
  const masked: string[] = []
  const parameters = withoutSecrets(run.parameters, (pointer) => masked.push(`/parameters${pointer}`))
  const metadata =
    run.metadata && withoutSecrets(run.metadata, (pointer) => masked.push(`/metadata${pointer}`))
  for (const pointer of masked) yield repair(null, 1, pointer, 'A secret is masked.')
  const created_at = run.created_at === undefined ? undefined : normaliseTime(run.created_at)
  const variant = options.variant ?? asId(run.variant)
  const since = created_at === undefined ? {} : { created_at }
  yield { kind: 'variant', id: variant, written: written({ name: variant, ...since }) }
  const config = { config_name: run.config_name, parameters: {} }
  const revision = written({ modified_by: run.author ?? 'import', config, ...since })
  const configText = `{"config_name":${JSON.stringify(run.config_name)},"parameters":${parameters.text}}`
  const texts = new Map(revision.texts).set('config', configText)
  yield { kind: 'revision', place, written: { value: revision.value, texts } }
  yield evaluationFinding(run, metadata, since, options)
}

function evaluationFinding(
  { id, name, source, evaluators = [] }: Run,
  metadata: Json | undefined,
  since: object,
  options: ImportOptions,
): Finding {
  const evaluation = written({
    name: name ?? id,
    source,
    ...since,
    evaluators: evaluators.length > 0 ? evaluators.map(defined) : undefined,
  })
  const texts = new Map(evaluation.texts)
  if (metadata && metadata.text !== '{}') texts.set('metadata', metadata.text)
  const value = JSON.parse(JSON.stringify(evaluation.value)) as object
  return {
    kind: 'evaluation',
    id: options.evaluation ?? asId(id),
    written: { value, texts },
    ranRevision: true,
  }
}

function defined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value
}

/** The scenario, or why it is refused. What is secret beside it is masked, and told. */
export function* scenarioFindings(
  draft: Draft,
  place: RecordPlace,
  limits: RecordLimits,
  where: { evaluation?: number; order?: number } = {},
): Generator<Found> {
  if (draft.isTooMuch) {
    yield refuse(place, '', `This has more than ${MOST_PARTS} inputs, answers and results.`)
    return
  }
  const masked: string[] = []
  draft.id = asId(draft.id)
  const text = draft.text((extra) => withoutSecrets(extra, (pointer) => masked.push(`/extra${pointer}`)))
  const record = place.index + 1
  for (const pointer of masked) yield repair(record, place.line, pointer, 'A secret is masked.')
  const bytes = Buffer.from(text)
  if (bytes.length > limits.record_bytes) {
    const detail = `What is made of this record is larger than ${limits.record_bytes} bytes.`
    yield { kind: 'refusal', record, line: place.line, pointer: '', detail }
    return
  }
  const judged = judgeRecord(completed(bytes, { ...place, offset: 0 }, limits), checkScenario)
  if (judged.written) yield { kind: 'scenario', place, written: judged.written, ...where }
  else yield* refusals(judged)
}

/** A text as an id: as it is where it can be one, otherwise cut and told apart by its digest. */
export function asId(text: string): string {
  if (isId(text)) return text
  const digest = hash('sha256', text, 'hex').slice(0, 8)
  const readable = text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  return readable === '' || /^\.+$/.test(readable)
    ? `id-${digest}`
    : `${[...readable].slice(0, 180).join('').trimEnd()}-${digest}`
}

/** The name of a file without its folder and what tells its type. */
export function stemOf(name: string): string {
  const base = name.replace(/^.*[/\\]/, '').replace(/(\.(json|jsonl|ndjson|csv|tsv|eval))$/i, '')
  return base === '' || base === '-' ? 'import' : base
}

/** Numbers what would have the same id in one file. Of each a number is kept, so this grows with them, if slowly. */
export class UniqueIds {
  readonly #counts = new Map<number, number>()

  unique(id: string, evaluation = 0): string {
    const count = this.count(id, evaluation)
    return count === 1 ? id : this.unique(`${id} #${count}`, evaluation)
  }

  /** How often it has come, this time included. */
  count(id: string, evaluation = 0): number {
    const digest = hash('sha256', `${evaluation} ${id}`, 'buffer').readUIntBE(0, 6)
    const count = (this.#counts.get(digest) ?? 0) + 1
    this.#counts.set(digest, count)
    return count
  }
}
