// Notes about a promptfoo file as a whole: counts that differ from the imported results, and data that Assay does not keep.
import type { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { omissionNote } from '../read-records.ts'
import { differenceNote, type ImportedStatistics } from '../tool-statistics.ts'

interface Counts {
  total: number
  passed: number
  failed: number
  /** Undefined in versions that count errors as failures. */
  errors: number | undefined
}

/** `imported`: one element per column that the file lists. */
export function* statisticsNotes(
  head: Json,
  imported: readonly ImportedStatistics[],
): Generator<ImportEvent> {
  const name = head.get('results', 'prompts') ? '/results/prompts' : '/prompts'
  const prompts = (head.get('results', 'prompts') ?? head.get('prompts'))?.elements ?? []
  let hasDifference = false
  for (const [index, statistics] of imported.entries()) {
    const metrics = prompts[index]?.get('metrics')
    const names = ['testPassCount', 'testFailCount', 'testErrorCount'] as const
    const note = describeDifference(countsOf(metrics, names), [statistics])
    if (note === undefined) continue
    hasDifference = true
    yield differenceNote(`${name}/${index}/metrics`, note)
  }
  if (hasDifference) return
  const note = describeDifference(countsOf(statsOf(head), STATS), imported)
  if (note !== undefined)
    yield differenceNote(head.get('results', 'stats') ? '/results/stats' : '/stats', note)
}

const STATS = ['successes', 'failures', 'errors'] as const

function statsOf(head: Json): Json | undefined {
  return head.get('results', 'stats') ?? head.get('stats')
}

/** The number of results that the file counts. */
export function countResults(head: Json): number {
  return countsOf(statsOf(head), STATS)?.total ?? 0
}

function countsOf(
  object: Json | undefined,
  [passedName, failedName, errorsName]: readonly [string, string, string],
): Counts | undefined {
  const [passed, failed] = [object?.get(passedName)?.number, object?.get(failedName)?.number]
  const errors = object?.get(errorsName)?.number
  if (passed === undefined || failed === undefined) return undefined
  return { total: passed + failed + (errors ?? 0), passed, failed, errors }
}

function describeDifference(
  counts: Counts | undefined,
  imported: readonly ImportedStatistics[],
): string | undefined {
  if (!counts || counts.total === 0) return undefined
  const sum = (numberOf: (statistics: ImportedStatistics) => number) =>
    imported.reduce((total, statistics) => total + numberOf(statistics), 0)
  const total = sum(({ scenarios }) => scenarios)
  const passed = sum((statistics) => statistics.scoresOf('pass').sum)
  const failed = sum((statistics) => statistics.scoresOf('pass').count) - passed
  const errors = sum(({ failedScenarios }) => failedScenarios)
  // Rows without a verdict are in none of the counts.
  const areJudged = passed + failed + errors === total
  const isSame =
    total === counts.total &&
    (!areJudged || (passed === counts.passed && (counts.errors === undefined || errors === counts.errors)))
  if (isSame) return undefined
  const countedErrors = counts.errors === undefined ? '' : `, ${counts.errors} errors`
  return (
    `promptfoo counts ${counts.total} results (${counts.passed} passed, ${counts.failed} failed${countedErrors}), ` +
    `but ${total} were imported (${passed} passed, ${failed} failed, ${errors} errors).`
  )
}

const USED_MEMBERS = [
  'evalId',
  'id',
  'version',
  'createdAt',
  'author',
  'config',
  'metadata',
  'prompts',
  'results',
  'table',
]
const USED_CONFIG_MEMBERS = [
  'description',
  'prompts',
  'providers',
  'tags',
  'derivedMetrics',
  'tests',
  'scenarios',
]
const USED_METADATA_MEMBERS = ['promptfooVersion', 'author', 'evaluationCreatedAt']
const USED_RESULT_MEMBERS = ['version', 'timestamp', 'prompts', 'results', 'table']

export function* omissionNotes(head: Json): Generator<ImportEvent> {
  const results = head.get('results')
  const config = head.get('config')
  // The members with the tests are dropped when the file is read, so they are null here.
  const testLists = ['tests', 'scenarios'].filter((name) => config?.members.has(name))
  if (testLists.length > 0)
    yield omissionNote('/config', `${testLists.join(' and ')}: each result contains its own test.`)
  for (const [pointer, value, used] of [
    ['/config', config, USED_CONFIG_MEMBERS],
    ['/metadata', head.get('metadata'), USED_METADATA_MEMBERS],
    ['/results', results, USED_RESULT_MEMBERS],
    ['', head, USED_MEMBERS],
  ] as const) {
    const names = unusedNames(value, used)
    if (names.length > 0) yield omissionNote(pointer, `${names.join(', ')}.`)
  }
  const prompts = (results?.get('prompts') ?? head.get('prompts'))?.elements ?? []
  if (prompts.some((prompt) => !isEmpty(prompt.get('metrics'))))
    yield omissionNote(
      '/results/prompts',
      'metrics: totals of each column. The scenarios contain the results.',
    )
  const table = head.get('table') ?? results?.get('table')
  if (table)
    yield omissionNote(head.get('table') ? '/table' : '/results/table', 'The results contain its data.')
}

const MAX_NAMES = 20

function unusedNames(value: Json | undefined, used: readonly string[]): string[] {
  const names = Array.from(value?.members ?? [])
    .filter(([name, member]) => !used.includes(name) && !isEmpty(member))
    .map(([name]) => name)
  return names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), '…'] : names
}

function isEmpty(value: Json | undefined): boolean {
  return !value || ['null', '{}', '[]', '""', 'false'].includes(value.text)
}
