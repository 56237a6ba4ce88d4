// Compares the imported results with the counts that promptfoo wrote into the file.
import type { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
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
