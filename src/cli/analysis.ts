// assay breakdown: the statistics of groups of scenarios. assay agreement: how well two evaluators agree.
import { UsageError } from '../errors.ts'
import { agreementText } from './analysis/agreement-text.ts'
import { breakdownText } from './analysis/breakdown-text.ts'
import { parseBreakdown } from './analysis/group-labels.ts'
import type { Command } from './command.ts'
import { print } from './output/terminal-text.ts'
import { withTarget } from './target/open-target.ts'
import { resolveId, resolveOptionalId } from './target/resolve-id.ts'
import { checkGroupKey } from './validation.ts'

export const breakdown: Command = {
  argumentCount: [1, 1],
  async run(settings, [id = '']) {
    const { by, base, json } = settings
    if (by === undefined)
      throw new UsageError('Set what the rows are grouped by with --by, such as --by input.topic.')
    checkGroupKey(by)
    const text = await withTarget(settings, async (target) => {
      const evaluation = await resolveId(target, 'evaluation', id)
      return target.breakDown(evaluation, by, await resolveOptionalId(target, 'evaluation', base))
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
