// assay breakdown: the statistics of groups of scenarios and, with a baseline, what changed in them.
import { UsageError } from '../errors.ts'
import { breakdownText } from './analysis/breakdown-text.ts'
import type { Command } from './command.ts'
import { print } from './output/terminal-text.ts'
import { withTarget } from './target/open-target.ts'
import { checkGroupKey } from './validation.ts'

export const breakdown: Command = {
  argumentCount: [1, 1],
  async run(settings, [id = '']) {
    const { by, base, json } = settings
    if (by === undefined)
      throw new UsageError('Set what the rows are grouped by with --by, such as --by input.topic.')
    checkGroupKey(by)
    const text = await withTarget(settings, (target) => target.breakDown(id, by, base))
    if (json) print(text)
    else process.stdout.write(breakdownText(JSON.parse(text)))
  },
}
