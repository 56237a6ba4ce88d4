// assay compare: compares candidates with a baseline, as text, JSON or Markdown, and can fail on regressions.
import { UsageError } from '../errors.ts'
import type { Comparison } from '../schema/comparisons.ts'
import type { Settings } from '../settings/settings.ts'
import type { Command } from './command.ts'
import { comparisonMarkdown } from './comparison/markdown-report.ts'
import { failOnRegressions } from './comparison/regression-gate.ts'
import { comparisonText } from './comparison/text-report.ts'
import { findWorstRows } from './comparison/worst-rows.ts'
import { joinNames } from './output/statistics.ts'
import { withTarget } from './target/open-target.ts'
import type { OpenComparison } from './target/target.ts'

export const compare: Command = {
  argumentCount: [2, 4],
  argumentHelp: 'a baseline and one to three candidates',
  async run(settings, ids) {
    checkArguments(settings, ids)
    const { comparison, report, checkedCounts } = await withTarget(settings, (target) =>
      target.compare(ids, settings.join, async (opened) => {
        const { comparison, scoredCounts } = opened
        const evaluators = selectEvaluators(comparison, settings.on)
        const checkedCounts = evaluators
          ? new Map(evaluators.map((name) => [name, scoredCounts.get(name) ?? 0]))
          : scoredCounts
        return { comparison, checkedCounts, report: await formatReport(opened, evaluators, settings) }
      }),
    )
    // One write, so that a reader that closes the pipe early still receives the first lines.
    process.stdout.write(report)
    if (settings.fail_on_regression) failOnRegressions(comparison, checkedCounts, settings.tolerance ?? 0)
  },
}

function checkArguments({ json, markdown }: Settings, ids: string[]): void {
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index)
  if (duplicate !== undefined) throw new UsageError(`The evaluation '${duplicate}' is listed twice.`)
  if (json && markdown) throw new UsageError('--json and --markdown cannot be combined.')
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

async function formatReport(
  opened: OpenComparison,
  evaluators: string[] | undefined,
  { json, markdown, public_url, url }: Settings,
): Promise<string> {
  const { comparison } = opened
  if (json) return `${JSON.stringify(comparison, null, 2)}\n`
  if (!markdown) return comparisonText(comparison)
  return comparisonMarkdown(comparison, await findWorstRows(opened, evaluators), public_url ?? url)
}
