// Imports DeepEval test runs (JSON), and dumps of the return value of evaluate().

import { createHash } from 'node:crypto'
import { UnreadableFile } from '../../errors.ts'
import type { DocumentPaths, DocumentRecord } from '../../json/document.ts'
import type { RecordLimits } from '../../json/records.ts'
import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { normalizeTime } from '../../schema/times.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import {
  objectEvents,
  omissionNote,
  readDocument,
  readObjects,
  readRest,
  repairNote,
} from '../read-records.ts'
import type { Source } from '../source.ts'
import {
  describeRun,
  fileStem,
  Ranks,
  runEvents,
  scenarioEvents,
  type ToolRun,
  UniqueIds,
} from '../tool-run.ts'
import { differenceNote } from '../tool-statistics.ts'
import { undefinedIfEmpty, unusedMembers } from '../values.ts'
import { buildScenario, field, metricsOf, verdictOf } from './test-case.ts'

const WRAPPER_MEMBER = 'testRunData'
/** Conversational test cases are numbered separately and come after the others. */
const CONVERSATION_LISTS = ['conversationalTestCases', 'conversational_test_cases']
const CASE_LISTS = ['testCases', 'test_cases', 'test_results', ...CONVERSATION_LISTS]
/** The path of a file that is only a list of test cases. */
const ROOT_PATH = ''
const RECORD_PATHS = [ROOT_PATH, ...CASE_LISTS, ...CASE_LISTS.map((name) => `${WRAPPER_MEMBER}.${name}`)]
/** Members that identify a test case. */
const DISTINCTIVE_MEMBERS = [
  'metricsData',
  'metrics_data',
  'actualOutput',
  'actual_output',
  'turns',
  'success',
]
const SCORE_SUMMARIES = ['metricsScores', 'metrics_scores']

const PATHS: DocumentPaths = {
  records: RECORD_PATHS,
  // Repeats every score, so its size grows with the number of test cases.
  dropped: SCORE_SUMMARIES.flatMap((name) => [`${name}.scores`, `${WRAPPER_MEMBER}.${name}.scores`]),
}
const WITHOUT_TRACES: DocumentPaths = {
  ...PATHS,
  dropped: [
    ...PATHS.dropped,
    ...RECORD_PATHS.map((path) => (path === ROOT_PATH ? 'trace' : `${path}.trace`)),
  ],
}

/** A test case with its trace can be this many times larger than a scenario. The trace is omitted then. */
const TRACE_SIZE_FACTOR = 4

const CONVERSATION_OFFSET = 2 ** 40
/** The name that DeepEval gives to a test case without one: its position. */
const GENERATED_NAME = /^(?:conversational_)?test_case_(\d+)$/
const USED_MEMBERS = new Set(['hyperparameters', 'prompts', 'identifier', ...CASE_LISTS])

export const deepeval: Importer = {
  name: 'deepeval',
  label: 'DeepEval',
  description: 'test runs from DeepEval (test_run_TIME.json), with testCases and their metricsData',
  docs: 'how-to/import-deepeval.md',
  reference: 'reference/imports/deepeval.md',
  example: 'assay import ./runs',

  detects({ jsonPreview, head, size }) {
    if (!jsonPreview) return false
    const { paths, shape } = jsonPreview
    if (shape === 'array') return paths.has('metrics_data') || paths.has('metricsData')
    return ['', `${WRAPPER_MEMBER}.`].some((prefix) => {
      const hasScores = SCORE_SUMMARIES.some((name) => paths.has(`${prefix}${name}`))
      const hasCase = (name: string) =>
        DISTINCTIVE_MEMBERS.some((member) => paths.has(`${prefix}${name}.${member}`))
      // If the first test case is very long, the preview ends before the members that follow it.
      const isCutOff = CASE_LISTS.some((name) => paths.has(`${prefix}${name}.input`)) && size > head.length
      return isCutOff || CASE_LISTS.some((name) => paths.has(prefix + name) && (hasScores || hasCase(name)))
    })
  },

  async open(source, options) {
    const { limits } = options
    const readLimits = { ...limits, record_bytes: TRACE_SIZE_FACTOR * limits.record_bytes }
    const rest = await readRest(source, PATHS, readLimits)
    const run = unwrapRun(rest)
    const isRun = CASE_LISTS.some((name) => run.get(name)?.isArray)
    if (!isRun && !rest.isArray)
      throw new UnreadableFile('The file has no test cases: neither testCases nor test_results is an array.')
    return {
      created_at: readTime(source),
      missing: describeMissing(run),
      digest: () => digestCases(readObjects(readDocument(source, WITHOUT_TRACES, readLimits))),
      async *events(created_at) {
        // Names that repeat are numbered in the order of the cases and not of the file, so that a case has the same id in the next run.
        const ranks = new Ranks()
        const ids = new UniqueIds()
        const evaluators = await readEvaluators(source, readLimits, ranks)
        const description = { ...descriptionOf(source, run), created_at, evaluators }
        yield* runEvents(await describeRun(source, description, options), options)
        const hasScores = SCORE_SUMMARIES.some((name) =>
          run.get(name)?.elements.some((metric) => metric.members.has('scores')),
        )
        if (hasScores)
          yield omissionNote(
            '/metricsScores',
            'scores: all scores of each metric. The scenarios contain them.',
          )
        const orders = new Orders()
        let [passed, failed] = [0, 0]
        yield* objectEvents(readDocument(source, PATHS, readLimits), (row, record) => {
          const success = row.get('success')?.boolean
          if (success === true) passed += 1
          else if (success === false) failed += 1
          const order = orders.assign(row, record.path)
          const name = nameOf(row, order)
          const rank = ranks.next(name, order)
          const id = ids.makeUnique(rank === 1 ? name : `${name} #${rank}`)
          return caseEvents(row, record, { id, name, order }, options)
        })
        yield* verdictNotes(run, passed, failed)
      },
    }
  },
}

function describeMissing(run: Json): string | undefined {
  const count = countCases(run)
  return count > 0 ? `The run counts ${count} test cases. Import the file that contains them.` : undefined
}

function unwrapRun(rest: Json): Json {
  const { [WRAPPER_MEMBER]: run, ...others } = Object.fromEntries(rest.members)
  return run ? Json.object([...Object.entries(others), ...run.members]) : rest
}

function* caseEvents(
  row: Json,
  record: DocumentRecord,
  { id, name, order }: { id: string; name: string; order: number },
  { limits }: ImportOptions,
): Generator<ImportEvent> {
  let builder = buildScenario(row, id, true)
  // Only large test cases are built twice.
  const mayBeTooLarge = row.text.length > limits.record_bytes / 8
  if (mayBeTooLarge && Buffer.byteLength(Json.object(builder.members()).text) > limits.record_bytes) {
    builder = buildScenario(row, id, false)
    const detail = `The trace was omitted because the scenario would be larger than ${limits.record_bytes} bytes with it.`
    if (row.get('trace')) yield repairNote(record.index + 1, record.line, '/trace', detail)
  }
  builder.hasGeneratedId = GENERATED_NAME.exec(name)?.[1] === String(order % CONVERSATION_OFFSET)
  yield* scenarioEvents(builder, record, limits, { order })
}

function nameOf(row: Json, order: number): string {
  return row.get('name')?.plain ?? `test_case_${order % CONVERSATION_OFFSET}`
}

/** The position of test cases: as stored in the file, else after the previous one, as in DeepEval. */
class Orders {
  readonly #nextOrder = new Map<string, number>()

  assign(row: Json, path: string): number {
    const order = (row.get('order') ?? row.get('index'))?.number ?? this.#nextOrder.get(path) ?? 0
    this.#nextOrder.set(path, order + 1)
    const isConversation = CONVERSATION_LISTS.includes(path.replace(`${WRAPPER_MEMBER}.`, ''))
    return isConversation ? CONVERSATION_OFFSET + order : order
  }
}

function descriptionOf(source: Source, run: Json) {
  const readText = (name: string) => field(run, name)?.string || undefined
  const name = readText('identifier') ?? readText('testFile') ?? readText('datasetAlias')
  const prompts = run.get('prompts')
  const aliases = prompts?.elements.flatMap((prompt) => prompt.get('alias')?.string ?? []) ?? []
  const variant = name ?? variantName(source)
  return {
    id: readText('testRunId'),
    name,
    source: 'DeepEval',
    variant,
    isVariantNamedByFile: name === undefined,
    config_name: aliases.join(', ') || run.get('hyperparameters', 'model')?.plain || variant,
    // Some versions write an empty list instead of nothing.
    parameters: Json.object(
      ['hyperparameters', 'prompts'].map((member) => [member, undefinedIfEmpty(run.get(member))] as const),
    ),
    metadata: metadataOf(run),
  }
}

/** The members that are not used elsewhere, such as totals. Lists of scores are omitted: scenarios contain them. */
function metadataOf(run: Json): Json {
  return Json.object(
    unusedMembers(run, USED_MEMBERS).map(([name, value]) => [
      name,
      SCORE_SUMMARIES.includes(name) ? withoutScores(value) : value,
    ]),
  )
}

function withoutScores(scores: Json): Json {
  if (!scores.isArray) return scores
  const omitScores = (metric: Json) => Json.object([...metric.members].filter(([name]) => name !== 'scores'))
  return Json.array(scores.elements.map((metric) => (metric.isObject ? omitScores(metric) : metric)))
}

/** All evaluators, with their threshold if it is the same in all test cases. */
async function readEvaluators(
  source: Source,
  readLimits: RecordLimits,
  ranks: Ranks,
): Promise<NonNullable<ToolRun['evaluators']>> {
  const orders = new Orders()
  const thresholds = new Map<string, number | undefined>()
  const verdicts = new Set<string>()
  const records = readDocument(source, WITHOUT_TRACES, readLimits)
  for await (const { row, record } of readObjects(records)) {
    const order = orders.assign(row, record.path)
    ranks.add(nameOf(row, order), order)
    for (const metric of metricsOf(row)) {
      const { evaluator, data } = metric
      const number = data.get('threshold')?.number
      const threshold = Number.isFinite(number) ? number : undefined
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

/** From `test_run_20260512_030100.json`: local time of an unknown time zone, read as UTC. */
function readTime(source: Source): string | undefined {
  const stamp = /(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)(?:_\d+)?(?:\.\w+)?$/.exec(source.name)
  const [, year, month, day, hour, minute, second] = stamp ?? []
  return stamp ? normalizeTime(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) : undefined
}

/** Default file names of DeepEval do not identify a variant. */
function variantName(source: Source): string {
  const stem = fileStem(source.name)
    .replace(/[-_.]?\d{8}_\d{6}(_\d+)?$/, '')
    .replace(/^\.+/, '')
  const isDefaultName = /^(test_run|latest_test_run|latest_run_full|temp_test_run_data|import)?$/.test(stem)
  return isDefaultName ? 'deepeval' : stem
}

/** Test cases without a verdict are in none of the counts. */
function* verdictNotes(run: Json, passed: number, failed: number): Generator<ImportEvent> {
  const counted = countsOf(run)
  if (countCases(run) === 0 || (counted.passed === passed && counted.failed === failed)) return
  const detail =
    `DeepEval counts ${counted.passed} passed and ${counted.failed} failed test cases, ` +
    `but the file has ${passed} passed and ${failed} failed ones.`
  yield differenceNote('/testPassed', detail)
}

/** The number of test cases that the run counts. */
function countCases(run: Json): number {
  const { passed, failed } = countsOf(run)
  return passed + failed
}

function countsOf(run: Json): { passed: number; failed: number } {
  return { passed: field(run, 'testPassed')?.number ?? 0, failed: field(run, 'testFailed')?.number ?? 0 }
}

const CASE_MEMBERS = [
  'name',
  'input',
  'scenario',
  'turns',
  'actualOutput',
  'expectedOutput',
  'expectedOutcome',
  'completionTime',
]
const METRIC_MEMBERS = ['score', 'success', 'reason', 'error']

/** Undefined for a run without test cases: all of those would be equal. */
async function digestCases(rows: AsyncIterable<{ row: Json }>): Promise<string | undefined> {
  const hash = createHash('sha256')
  let isEmpty = true
  for await (const { row } of rows) {
    const metrics = metricsOf(row).map(({ evaluator, data }) => [
      evaluator,
      ...METRIC_MEMBERS.map((name) => comparableValue(data.get(name))),
    ])
    hash.update(JSON.stringify([CASE_MEMBERS.map((name) => comparableValue(field(row, name))), metrics]))
    isEmpty = false
  }
  return isEmpty ? undefined : hash.digest('hex')
}

/** 1 and 1.0 are the same score. */
function comparableValue(value: Json | undefined): string | number | undefined {
  return value?.number ?? value?.plain
}
