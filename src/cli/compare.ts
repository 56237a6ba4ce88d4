// assay compare: compares candidates with a baseline, as text, JSON or Markdown, and can fail on regressions.
import { UsageError } from '../errors.ts'
import type { Comparison } from '../schema/comparisons.ts'
import type { Settings } from '../settings/settings.ts'
import type { Command } from './command.ts'
import { comparisonMarkdown } from './comparison/markdown-report.ts'
import { failOnRegressions } from './comparison/regression-gate.ts'
import { joinNames } from './comparison/table.ts'
import { comparisonText } from './comparison/text-report.ts'
import { findWorstRows } from './comparison/worst-rows.ts'
import { withTarget } from './target/open-target.ts'
import type { OpenComparison } from './target/target.ts'

export const compare: Command = {
  argumentCount: [2, 4],
  argumentHelp: 'a baseline and one to three candidates',
  async run(settings, ids) {
    checkArguments(settings, ids)
    const { comparison, report, scoredCounts } = await withTarget(settings, (target) =>
      target.compare(ids, settings.by, async (opened) => {
        checkEvaluator(opened.comparison, settings.on)
        const report = await formatReport(opened, settings, settings.public_url ?? settings.url)
        return { ...opened, report }
      }),
    )
    // One write, so that a reader that closes the pipe early still receives the first lines.
    process.stdout.write(report)
    if (!settings.fail_on_regression) return
    const { on, tolerance = 0 } = settings
    const checkedCounts = on === undefined ? scoredCounts : new Map([[on, scoredCounts.get(on) ?? 0]])
    failOnRegressions(comparison, checkedCounts, tolerance)
  },
}

function checkArguments({ json, markdown }: Settings, ids: string[]): void {
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index)
  if (duplicate !== undefined) throw new UsageError(`The evaluation '${duplicate}' is listed twice.`)
  if (json && markdown) throw new UsageError('--json and --markdown cannot be combined.')
}

function checkEvaluator({ candidates }: Comparison, evaluator: string | undefined): void {
  // Every candidate has an entry for every evaluator.
  const names = candidates[0]?.evaluators.map(({ name }) => name) ?? []
  if (evaluator === undefined || names.includes(evaluator)) return
  const available =
    names.length === 0
      ? 'They have no evaluators'
      : `Available evaluators: ${joinNames(names.map((name) => `'${name}'`))}`
  throw new UsageError(`These evaluations have no evaluator '${evaluator}'. ${available}.`)
}

async function formatReport(
  opened: OpenComparison,
  { json, markdown, on }: Settings,
  pageUrl: string | undefined,
): Promise<string> {
  const { comparison } = opened
  if (json) return `${JSON.stringify(comparison, null, 2)}\n`
  if (!markdown) return comparisonText(comparison)
  return comparisonMarkdown(comparison, await findWorstRows(opened, on), pageUrl)
}
