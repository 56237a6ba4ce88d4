// assay compare: compares candidates with a baseline, as text, JSON or Markdown, and can be the gate of a pull request.
import { UsageError } from '../errors.ts'
import type { GateRules } from '../schema/gate.ts'
import type { Settings } from '../settings/settings.ts'
import type { Command } from './command.ts'
import { type ComparisonReport, formatComparison, joinReports } from './comparison/comparison-report.ts'
import { describeMember, type MatchedFamilies, matchFamilies } from './comparison/families.ts'
import { decideOrInvalidate, failUnlessPassed, summarizeGates } from './comparison/gate-summary.ts'
import { withTarget } from './target/open-target.ts'
import { resolveId } from './target/resolve-id.ts'
import type { Target } from './target/target.ts'
import { checkEvaluations, checkGroupKey } from './validation.ts'

export const compare: Command = {
  argumentCount: [1, 4],
  argumentHelp: 'one candidate, or a baseline and one to three candidates',
  async run(settings, ids) {
    checkArguments(settings, ids)
    const compareAll = () => withTarget(settings, (target) => compareIds(target, ids, settings))
    const { reports, gate } = settings.fail_on_regression
      ? await decideOrInvalidate(compareAll)
      : await compareAll()
    // One write, so that a reader that closes the pipe early still receives the first lines.
    process.stdout.write(joinReports(reports, gate, settings))
    if (settings.fail_on_regression) failUnlessPassed(gate)
  },
}

function checkArguments({ json, markdown, by, join }: Settings, ids: string[]): void {
  checkEvaluations(ids)
  if (json && markdown) throw new UsageError('--json and --markdown cannot be combined.')
  if (by === undefined) return
  checkGroupKey(by)
  if (join !== 'auto')
    throw new UsageError('--by and --join cannot be combined: rows in groups are matched automatically.')
}

async function compareIds(target: Target, ids: string[], settings: Settings) {
  const rules = readRules(settings)
  const { comparisons, names, missing, added } = await listComparisons(target, ids)
  const reports: ComparisonReport[] = []
  for (const evaluations of comparisons)
    reports.push(
      await target.compare(evaluations, settings.join, rules, (opened) => formatComparison(opened, settings)),
    )
  const candidates = reports
    .flatMap((report) => report.candidates)
    .map(({ id, gate }) => ({ name: names.get(id) ?? id, gate }))
  return { reports, gate: summarizeGates(candidates, missing, added) }
}

/** One comparison of all evaluations. If an id is a family, one for each pair of members instead. */
async function listComparisons(target: Target, ids: string[]) {
  const [baseline = '', ...candidates] = ids
  if (candidates.length === 0) {
    const comparisons = [[await resolveId(target, 'evaluation', baseline)]]
    return { comparisons, names: new Map<string, string>(), missing: [], added: [] }
  }
  const matches: (MatchedFamilies & { candidate: string })[] = []
  for (const candidate of candidates)
    matches.push({ candidate, ...(await matchFamilies(target, baseline, candidate)) })
  const hasFamily = matches.some(({ isFamily }) => isFamily)
  const pairs = matches.flatMap(({ pairs }) => pairs)
  return {
    comparisons: hasFamily
      ? pairs.map((members) => members.map(({ id }) => id))
      : [[...pairs.slice(0, 1).map(([member]) => member.id), ...pairs.map(([, member]) => member.id)]],
    /** How reasons name the candidates. */
    names: new Map(pairs.map(([, member]) => [member.id, hasFamily ? describeMember(member) : member.id])),
    missing: matches.flatMap(({ missing, candidate }) =>
      missing.map(
        (member) =>
          `${describeMember(member)} has no match in '${candidate}'. Members of a family are matched by label and provider: give prompts and providers labels that stay the same.`,
      ),
    ),
    added: matches.flatMap(({ added }) =>
      added.map((member) => `${describeMember(member)} is new: the baseline does not have it.`),
    ),
  }
}

/** Without --fail-on-regression, only the selected evaluators matter. */
function readRules(settings: Settings): GateRules {
  const { tolerance, max_loss, max_regressed, min_matched } = settings
  const on = settings.on.length === 0 ? undefined : settings.on.join(',')
  if (!settings.fail_on_regression) return { on }
  return { on, tolerance, max_loss, max_regressed, min_matched }
}
