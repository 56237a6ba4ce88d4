// DeepEval: the test run that it leaves behind as JSON, and dumps of what its evaluate() returns.
import type { DocumentPaths, DocumentRecord } from '../json/document.ts'
import { Json } from '../json/value.ts'
import type { Found } from '../schema/findings.ts'
import { normaliseTime } from '../schema/times.ts'
import { draftOf, field, metricsOf, verdictOf } from './deepeval-case.ts'
import { foreignLimits, type Run, runFindings, scenarioFindings, stemOf, UniqueIds } from './foreign.ts'
import { type Importer, type ImportOptions, Unreadable } from './importer.ts'
import { objectOf, readDocument, readRest, repair } from './reading.ts'
import type { Source } from './source.ts'

const WRAPPER = 'testRunData'
/** Test cases that are conversations count on their own, and come behind the others. */
const CONVERSATIONS = ['conversationalTestCases', 'conversational_test_cases']
const CASES = ['testCases', 'test_cases', 'test_results', ...CONVERSATIONS]
/** The list of test cases alone may be a file too. */
const WHOLE = ''
const RECORDS = [WHOLE, ...CASES, ...CASES.map((name) => `${WRAPPER}.${name}`)]
/** Of a test case: enough to tell one. */
const TELLING = ['metricsData', 'metrics_data', 'actualOutput', 'actual_output', 'turns', 'success']
const SCORES = ['metricsScores', 'metrics_scores']

const PATHS: DocumentPaths = {
  records: RECORDS,
  // Every score once more, and so as large as the file has cases.
  dropped: SCORES.flatMap((name) => [`${name}.scores`, `${WRAPPER}.${name}.scores`]),
}
const WITHOUT_TRACES: DocumentPaths = {
  ...PATHS,
  dropped: [...PATHS.dropped, ...RECORDS.map((path) => (path === WHOLE ? 'trace' : `${path}.trace`))],
}

/** A case with its trace may be so many times as large as a scenario may be; then it goes without it. */
const ROOM_FOR_TRACES = 4

const BEHIND_CASES = 2 ** 40
const USED = new Set(['hyperparameters', 'prompts', 'identifier', ...CASES])

export const deepeval: Importer = {
  name: 'deepeval',
  reads: 'test runs of DeepEval (test_run_*.json), with testCases and their metricsData',

  claims({ opening, head, size }) {
    if (!opening) return false
    const { paths, shape } = opening
    if (shape === 'array') return paths.has('metrics_data') || paths.has('metricsData')
    return ['', `${WRAPPER}.`].some((prefix) => {
      const hasScores = SCORES.some((name) => paths.has(`${prefix}${name}`))
      const hasCase = (name: string) => TELLING.some((member) => paths.has(`${prefix}${name}.${member}`))
      // A first case that is very long hides what follows.
      const isCutOff = CASES.some((name) => paths.has(`${prefix}${name}.input`)) && size > head.length
      return isCutOff || CASES.some((name) => paths.has(prefix + name) && (hasScores || hasCase(name)))
    })
  },

  async open(source, options) {
    const { limits } = options
    const large = { ...limits, record_bytes: ROOM_FOR_TRACES * limits.record_bytes }
    const how = { ...options, limits: foreignLimits(large) }
    const rest = await readRest(source, PATHS, how)
    const run = unwrapped(rest)
    const isRun = CASES.some((name) => run.get(name)?.isArray)
    if (!isRun && !rest.isArray)
      throw new Unreadable('There are no test cases in it: neither testCases nor test_results is an array.')
    const created_at = timeOf(source)
    return { created_at, findings: () => read(source, run, created_at, how, options) }
  },
}

function unwrapped(rest: Json): Json {
  const { [WRAPPER]: run, ...beside } = Object.fromEntries(rest.members)
  return run ? Json.object([...Object.entries(beside), ...run.members]) : rest
}

async function* read(
  source: Source,
  run: Json,
  created_at: string | undefined,
  how: ImportOptions,
  options: ImportOptions,
): AsyncGenerator<Found> {
  const names = new CaseNames()
  const evaluators = await evaluatorsIn(source, how, names)
  yield* runFindings({ ...(await runOf(source, run)), created_at, evaluators }, options)
  const orders = new Orders()
  for await (const record of readDocument(source, PATHS, how)) {
    if ('kind' in record) yield record
    else yield* caseFindings(record, names, orders, options)
  }
}

function* caseFindings(
  record: DocumentRecord,
  names: CaseNames,
  orders: Orders,
  { limits }: ImportOptions,
): Generator<Found> {
  const row = yield* objectOf(record)
  if (!row) return
  const order = orders.of(row, record.path)
  const id = names.unique(nameOf(row, order), order)
  let draft = draftOf(row, id, true)
  // Only what is large is put together twice.
  const mayBeTooLarge = row.text.length > limits.record_bytes / 8
  if (mayBeTooLarge && Buffer.byteLength(draft.text()) > limits.record_bytes) {
    draft = draftOf(row, id, false)
    const detail = `The trace is left out: with it this is larger than ${limits.record_bytes} bytes.`
    if (row.get('trace')) yield repair(record.index + 1, record.line, '/trace', detail)
  }
  yield* scenarioFindings(draft, record, limits, { order })
}

function nameOf(row: Json, order: number): string {
  return row.get('name')?.plain ?? `test_case_${order % BEHIND_CASES}`
}

/** Where test cases belong: as they say, else behind the one before, as DeepEval does it. */
class Orders {
  readonly #next = new Map<string, number>()

  of(row: Json, path: string): number {
    const order = (row.get('order') ?? row.get('index'))?.number ?? this.#next.get(path) ?? 0
    this.#next.set(path, order + 1)
    const isConversation = CONVERSATIONS.includes(path.replace(`${WRAPPER}.`, ''))
    return isConversation ? BEHIND_CASES + order : order
  }
}

async function runOf(source: Source, run: Json): Promise<Run> {
  const text = (name: string) => field(run, name)?.string || undefined
  const name = text('identifier') ?? text('testFile') ?? text('datasetAlias')
  const prompts = run.get('prompts')
  const aliases = prompts?.elements.flatMap((prompt) => prompt.get('alias')?.string ?? []) ?? []
  const variant = name ?? variantOf(source)
  return {
    id: text('testRunId') ?? (await source.contentId()),
    name: name ?? stemOf(source.name),
    source: 'DeepEval',
    created_at: undefined,
    variant,
    config_name: aliases.join(', ') || run.get('hyperparameters', 'model')?.plain || variant,
    parameters: Json.object(
      ['hyperparameters', 'prompts'].map((member) => [member, unlessEmpty(run.get(member))] as const),
    ),
    author: undefined,
    metadata: metadataOf(run),
  }
}

/** Whether nothing is written or an empty list depends on the version. */
function unlessEmpty(value: Json | undefined): Json | undefined {
  return value?.text === '[]' || value?.text === '{}' ? undefined : value
}

/** What DeepEval counted; its scores are those of the scenarios. */
function metadataOf(run: Json): Json {
  const members = [...run.members].filter(([name, value]) => !USED.has(name) && !value.isNull)
  return Json.object(
    members.map(([name, value]) => [name, SCORES.includes(name) ? withoutScores(value) : value]),
  )
}

function withoutScores(scores: Json): Json {
  if (!scores.isArray) return scores
  const without = (of: Json) => Json.object([...of.members].filter(([name]) => name !== 'scores'))
  return Json.array(scores.elements.map((of) => (of.isObject ? without(of) : of)))
}

/** Every evaluator there is, with its threshold where it is the same throughout. */
async function evaluatorsIn(
  source: Source,
  how: ImportOptions,
  names: CaseNames,
): Promise<NonNullable<Run['evaluators']>> {
  const orders = new Orders()
  const thresholds = new Map<string, number | undefined>()
  const verdicts = new Set<string>()
  for await (const record of readDocument(source, WITHOUT_TRACES, { ...how, onRead: () => undefined })) {
    if ('kind' in record || !record.scanned) continue
    const row = new Json(record.scanned.text)
    if (!row.isObject) continue
    const order = orders.of(row, record.path)
    names.learn(nameOf(row, order), order)
    for (const metric of metricsOf(row)) {
      const { evaluator, says } = metric
      const threshold = says.get('threshold')?.number
      const isSame = !thresholds.has(evaluator) || thresholds.get(evaluator) === threshold
      thresholds.set(evaluator, isSame ? threshold : undefined)
      if (verdictOf(metric) !== undefined) verdicts.add(evaluator)
    }
  }
  return [...thresholds].flatMap(([name, threshold]) => [
    { name, threshold },
    ...(verdicts.has(name) ? [{ name: `${name}.success`, higher_is_better: true }] : []),
  ])
}

/** `test_run_20260512_030100.json`: local time, of a place that is not known, and so taken for UTC. */
function timeOf(source: Source): string | undefined {
  const stamp = /(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)(?:_\d+)?(?:\.\w+)?$/.exec(source.name)
  const [, year, month, day, hour, minute, second] = stamp ?? []
  const named = stamp && normaliseTime(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return named || source.modified?.toISOString()
}

/** The names that DeepEval gives its files say nothing of what ran. */
function variantOf(source: Source): string {
  const stem = stemOf(source.name)
    .replace(/[-_.]?\d{8}_\d{6}(_\d+)?$/, '')
    .replace(/^\.+/, '')
  const isDeepEvals = /^(test_run|latest_test_run|latest_run_full|temp_test_run_data|import)?$/.test(stem)
  return isDeepEvals ? 'deepeval' : stem
}

/**
 * Names of test cases may repeat. They are numbered in the order of the cases, not of the file, so that a case has the
 * same id in the next run. Each name is kept, so this grows with the cases, if slowly.
 */
class CaseNames {
  readonly #orders = new Map<string, number[]>()
  readonly #ids = new UniqueIds()
  readonly #ranks = new Map<string, Map<number, number>>()

  learn(name: string, order: number): void {
    const orders = this.#orders.get(name)
    if (orders) orders.push(order)
    else this.#orders.set(name, [order])
  }

  unique(name: string, order: number): string {
    const rank = (this.#orders.get(name)?.length ?? 1) > 1 ? this.#rank(name, order) : 1
    return this.#ids.unique(rank === 1 ? name : `${name} #${rank}`)
  }

  #rank(name: string, order: number): number {
    let ranks = this.#ranks.get(name)
    if (!ranks) {
      const sorted = (this.#orders.get(name) ?? []).sort((a, b) => a - b)
      ranks = new Map(sorted.map((order, index) => [order, index + 1] as const).toReversed())
      this.#ranks.set(name, ranks)
    }
    const rank = ranks.get(order) ?? 1
    ranks.set(order, rank + 1)
    return rank
  }
}
