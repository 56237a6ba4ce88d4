// assay compare: compares candidates with a baseline, as text, JSON or Markdown, and can fail on regressions.
import { UsageError } from '../errors.ts'
import type { Comparison } from '../schema/comparisons.ts'
import type { Settings } from '../settings/settings.ts'
import { changeMarkdown, changeText } from './analysis/change-report.ts'
import { parseBreakdown } from './analysis/group-labels.ts'
import type { Command } from './command.ts'
import { comparisonMarkdown } from './comparison/markdown-report.ts'
import { failOnRegressions } from './comparison/regression-gate.ts'
import { comparisonText } from './comparison/text-report.ts'
import { findWorstRows } from './comparison/worst-rows.ts'
import { joinNames } from './output/statistics.ts'
import { withTarget } from './target/open-target.ts'
import type { OpenComparison } from './target/target.ts'
import { checkGroupKey } from './validation.ts'

export const compare: Command = {
  argumentCount: [1, 4],
  argumentHelp: 'one candidate, or a baseline and one to three candidates',
  async run(settings, ids) {
    checkArguments(settings, ids)
    const { comparison, report, checkedCounts } = await withTarget(settings, (target) =>
      target.compare(ids, settings.join, async (opened) => {
        const { comparison, scoredCounts } = opened
        const evaluators = selectEvaluators(comparison, settings.on)
        const checkedCounts = evaluators
          ? new Map(evaluators.map((name) => [name, scoredCounts.get(name) ?? 0]))
          : scoredCounts
        const breakdowns = await readBreakdowns(opened, settings.by)
        const report = await formatReport(opened, breakdowns, evaluators, settings)
        return { comparison, checkedCounts, report }
      }),
    )
    // One write, so that a reader that closes the pipe early still receives the first lines.
    process.stdout.write(report)
    if (settings.fail_on_regression) failOnRegressions(comparison, checkedCounts, settings.tolerance ?? 0)
  },
}

/** Values that --by had when it was the join key. */
const JOIN_KEYS = ['auto', 'id', 'input', 'position']

function checkArguments({ json, markdown, by, join }: Settings, ids: string[]): void {
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index)
  if (duplicate !== undefined) throw new UsageError(`The evaluation '${duplicate}' is listed twice.`)
  if (json && markdown) throw new UsageError('--json and --markdown cannot be combined.')
  if (by === undefined) return
  if (JOIN_KEYS.includes(by))
    throw new UsageError(`--by groups rows. To match them by the join key '${by}', use --join ${by}.`)
  checkGroupKey(by)
  if (join !== 'auto')
    throw new UsageError('--by and --join cannot be combined: rows in groups are matched automatically.')
}

/** The evaluators of --on, or undefined for all. */
function selectEvaluators({ candidates }: Comparison, parts: string[]): string[] | undefined {
  // Every candidate has an entry for every evaluator.
  const names = candidates[0]?.evaluators.map(({ name }) => name) ?? []
  if (parts.length === 0) return undefined
  // The name of one evaluator can contain commas.
  const text = parts.join(',')
  const selectedNames = names.includes(text) ? [text] : parts.map((part) => part.trim())
  const unknownName = selectedNames.find((name) => !names.includes(name))
  if (unknownName === undefined) return selectedNames
  const available =
    names.length === 0
      ? 'They have no evaluators'
      : `Available evaluators: ${joinNames(names.map((name) => `'${name}'`))}`
  throw new UsageError(`These evaluations have no evaluator '${unknownName}'. ${available}.`)
}

/** The JSON text of a breakdown per candidate, or none without --by. */
async function readBreakdowns(opened: OpenComparison, by: string | undefined): Promise<string[]> {
  const texts: string[] = []
  if (by !== undefined)
    for (const index of opened.comparison.candidates.keys()) texts.push(await opened.breakDown(index, by))
  return texts
}

async function formatReport(
  opened: OpenComparison,
  breakdownTexts: string[],
  evaluators: string[] | undefined,
  { json, markdown, public_url, url }: Settings,
): Promise<string> {
  const { comparison, chosen } = opened
  if (json) return `${addBreakdowns(JSON.stringify(comparison, null, 2), breakdownTexts)}\n`
  const explanations = breakdownTexts.map((text) =>
    (markdown ? changeMarkdown : changeText)(parseBreakdown(text), evaluators, comparison.join.by),
  )
  const options = { explanations, evaluators, chosen }
  if (!markdown) return comparisonText(comparison, options)
  const worstRows = await findWorstRows(opened, evaluators)
  return comparisonMarkdown(comparison, worstRows, public_url ?? url, options)
}

/** Adds a member to the JSON text of a comparison. Breakdowns stay exact. */
function addBreakdowns(comparison: string, breakdowns: string[]): string {
  if (breakdowns.length === 0) return comparison
  return `${comparison.slice(0, -2)},\n  "breakdowns": [${breakdowns.join(',')}]\n}`
}
