// assay agreement: how well two evaluators of one evaluation agree, such as a judge and a person.
import { UsageError } from '../errors.ts'
import { agreementText } from './analysis/agreement-text.ts'
import type { Command } from './command.ts'
import { print } from './output/terminal-text.ts'
import { withTarget } from './target/open-target.ts'

export const agreement: Command = {
  argumentCount: [1, 1],
  async run(settings, [id = '']) {
    const { evaluator, with: other, json, public_url, url } = settings
    if (evaluator === undefined || other === undefined)
      throw new UsageError(
        'Name two evaluators with --evaluator and --with, such as --evaluator judge --with human_verdict.',
      )
    const text = await withTarget(settings, (target) => target.getAgreement(id, evaluator, other))
    if (json) print(text)
    else process.stdout.write(agreementText(JSON.parse(text), public_url ?? url))
  },
}
