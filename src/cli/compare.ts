// assay compare: compares candidates with a baseline, as text, JSON or Markdown, and can fail on regressions.
import { Problem, UsageError } from '../errors.ts'
import type { Comparison } from '../schema/comparisons.ts'
import type { Settings } from '../settings/settings.ts'
import { ComparisonCache } from '../store/compare/comparison-cache.ts'
import { compareEvaluations } from '../store/compare/comparisons.ts'
import { JoinedColumns } from '../store/compare/joined-columns.ts'
import { listEvaluators, readSides, type Sides } from '../store/compare/sides.ts'
import type { EvaluationInfo } from '../store/evaluations/evaluations.ts'
import { countScoresByEvaluator } from '../store/evaluations/evaluators.ts'
import type { Connection } from '../store/store.ts'
import type { Command } from './command.ts'
import { comparisonMarkdown } from './comparison/markdown-report.ts'
import { failOnRegressions, type ScoredCounts } from './comparison/regression-gate.ts'
import { joinNames } from './comparison/table.ts'
import { comparisonText } from './comparison/text-report.ts'
import { findWorstRows } from './comparison/worst-rows.ts'
import { getFromProject } from './project-lookup.ts'
import { withStore } from './with-store.ts'

export const compare: Command = {
  argumentCount: [2, 4],
  argumentHelp: 'a baseline and one to three candidates',
  async run(settings, ids) {
    checkArguments(settings, ids)
    const { comparison, report, scoredCounts } = await withStore(settings, ({ reader }) =>
      reader.snapshot('query', (snapshot) => compareSnapshot(snapshot, settings, ids)),
    )
    // One write, so that a reader that closes the pipe early still receives the first lines.
    process.stdout.write(report)
    if (settings.fail_on_regression) failOnRegressions(comparison, scoredCounts, settings.tolerance ?? 0)
  },
}

function checkArguments({ json, markdown }: Settings, ids: string[]): void {
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index)
  if (duplicate !== undefined) throw new UsageError(`The evaluation '${duplicate}' is listed twice.`)
  if (json && markdown) throw new UsageError('--json and --markdown cannot be combined.')
}

async function compareSnapshot(
  snapshot: Connection,
  settings: Settings,
  ids: string[],
): Promise<{ comparison: Comparison; report: string; scoredCounts: ScoredCounts }> {
  const evaluations: EvaluationInfo[] = []
  for (const id of ids) evaluations.push(await getFromProject(snapshot, settings.project, 'evaluation', id))
  const sides = await readSides(snapshot, evaluations)
  checkEvaluator(sides, settings.on)
  const cache = new ComparisonCache()
  const comparison = await compareByJoinKey(snapshot, sides, settings.by, cache)
  const scoredCounts = await countScoresByEvaluator(snapshot, sides[0].key)
  return {
    comparison,
    scoredCounts:
      settings.on === undefined ? scoredCounts : new Map([[settings.on, scoredCounts.get(settings.on) ?? 0]]),
    report: await formatReport(snapshot, settings, sides, comparison, cache),
  }
}

function checkEvaluator(sides: Sides, evaluator: string | undefined): void {
  const names = listEvaluators(sides)
  if (evaluator === undefined || names.includes(evaluator)) return
  const available =
    names.length === 0
      ? 'They have no evaluators'
      : `Available evaluators: ${joinNames(names.map((name) => `'${name}'`))}`
  throw new UsageError(`These evaluations have no evaluator '${evaluator}'. ${available}.`)
}

async function compareByJoinKey(
  snapshot: Connection,
  sides: Sides,
  joinKey: string,
  cache: ComparisonCache,
): Promise<Comparison> {
  try {
    return await compareEvaluations(await JoinedColumns.open(snapshot, sides, joinKey, cache), joinKey)
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid-request') throw new UsageError(error.message)
    throw error
  }
}

async function formatReport(
  snapshot: Connection,
  { json, markdown, on, public_url }: Settings,
  sides: Sides,
  comparison: Comparison,
  cache: ComparisonCache,
): Promise<string> {
  if (json) return `${JSON.stringify(comparison, null, 2)}\n`
  if (!markdown) return comparisonText(comparison)
  return comparisonMarkdown(
    comparison,
    await findWorstRows(snapshot, sides, comparison, on, cache),
    public_url,
  )
}
