// assay leaderboard: ranks evaluations. assay breakdown: the statistics of groups of scenarios. assay agreement: how well two
// evaluators agree.
import { UsageError } from '../errors.ts'
import type { Settings } from '../settings/settings.ts'
import { agreementText } from './analysis/agreement-text.ts'
import { breakdownText } from './analysis/breakdown-text.ts'
import { parseBreakdown } from './analysis/group-labels.ts'
import { leaderboardText } from './analysis/leaderboard-text.ts'
import type { Command } from './command.ts'
import { print } from './output/terminal-text.ts'
import { withTarget } from './target/open-target.ts'
import { resolveEvaluations, resolveId } from './target/resolve-id.ts'
import type { Target } from './target/target.ts'
import { checkCsv, checkEvaluations, checkGroupKey } from './validation.ts'

export const breakdown: Command = {
  argumentCount: [1, 1],
  async run(settings, [id = '']) {
    const { by, base, json } = settings
    if (by === undefined)
      throw new UsageError('Set what the rows are grouped by with --by, such as --by input.topic.')
    checkGroupKey(by)
    const text = await withTarget(settings, async (target) => {
      const evaluation = await resolveId(target, 'evaluation', id)
      const baseline = base === undefined ? undefined : await resolveId(target, 'evaluation', base)
      return target.breakDown(evaluation, by, baseline)
    })
    if (json) print(text)
    else process.stdout.write(breakdownText(parseBreakdown(text)))
  },
}

export const agreement: Command = {
  argumentCount: [1, 1],
  async run(settings, [id = '']) {
    const { evaluator, with: other, json, public_url, url } = settings
    if (evaluator === undefined || other === undefined)
      throw new UsageError(
        'Name two evaluators with --evaluator and --with, such as --evaluator judge --with human_verdict.',
      )
    const text = await withTarget(settings, async (target) =>
      target.getAgreement(await resolveId(target, 'evaluation', id), evaluator, other),
    )
    if (json) print(text)
    else process.stdout.write(agreementText(JSON.parse(text), public_url ?? url))
  },
}

const MAX_EVALUATIONS = 50

export const leaderboard: Command = {
  argumentCount: [0, MAX_EVALUATIONS],
  argumentHelp: `2 to ${MAX_EVALUATIONS} evaluations, one family, or none with --variant`,
  async run(settings, ids) {
    checkRankedSelection(settings, ids)
    const { format, csv, json } = settings
    const isText = !json && format === undefined
    const text = await withTarget(settings, async (target) =>
      target.getLeaderboard({
        ...(await selectEvaluations(target, ids, settings)),
        on: settings.on[0],
        by: settings.join,
        format,
        csv,
      }),
    )
    if (isText) process.stdout.write(leaderboardText(JSON.parse(text)))
    else if (format === 'csv') process.stdout.write(text)
    else print(text)
  },
}

function checkRankedSelection({ format, csv, json, on, variant }: Settings, ids: string[]): void {
  checkEvaluations(ids)
  if (ids.length === 0 && variant === undefined)
    throw new UsageError('Name the evaluations to rank, their family, or their variant with --variant.')
  if (ids.length > 0 && variant !== undefined)
    throw new UsageError('Name evaluations or a variant with --variant, not both.')
  if (on.length > 1) throw new UsageError('A leaderboard ranks by one evaluator. Set --on once.')
  if (format !== undefined && format !== 'json' && format !== 'csv')
    throw new UsageError(`--format is '${format}', which is not one of json, csv.`)
  if (json && format === 'csv') throw new UsageError('--json and --format csv cannot be combined.')
  checkCsv(csv, format)
}

/** One argument is a family: the evaluations of one file with several prompts or providers. */
async function selectEvaluations(target: Target, names: string[], { variant }: Settings) {
  if (variant !== undefined) return { variant_id: `eq.${await resolveId(target, 'variant', variant)}` }
  const [first = '', ...others] = names
  if (others.length === 0) {
    const family = `eq.${first}`
    const members: string[] = []
    for await (const member of target.list('evaluation', { family }, 2)) members.push(member)
    if (members.length < 2)
      throw new UsageError(
        `'${first}' is not a family of several evaluations. Name two or more evaluations, or a variant with --variant.`,
      )
    return { family }
  }
  return { evaluation: await resolveEvaluations(target, names) }
}
