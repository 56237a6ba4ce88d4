// assay check: verifies the integrity of the store and of its derived data.
import { CommandError, RESTORE_HINT } from '../errors.ts'
import { checkStore, type Fault } from '../store/check.ts'
import { findRemainingTasks } from '../store/scenarios/removal.ts'
import type { Command } from './command.ts'
import { formatCount, Progress } from './output/progress.ts'
import { formatRemainingTasks } from './output/remaining-tasks.ts'
import { print } from './output/terminal-text.ts'
import { withStore } from './target/with-store.ts'

export const check: Command = {
  async run(settings) {
    const { checked, faults, background } = await withStore(settings, async (store) => {
      const progress = new Progress('Checking', formatCount)
      try {
        const result = await checkStore(store, (scenarios, total) => progress.show(scenarios, total))
        return { ...result, background: await findRemainingTasks(store.reader) }
      } finally {
        progress.end()
      }
    })
    if (settings.json) print(JSON.stringify({ ...checked, faults, background }, null, 2))
    else {
      for (const fault of faults) print(formatFault(fault))
      const { evaluations, scenarios, variants, revisions } = checked
      print(
        `Evaluations: ${formatCount(evaluations)}, scenarios: ${formatCount(scenarios)}, variants: ${formatCount(variants)}, revisions: ${formatCount(revisions)}. ${faults.length === 0 ? 'No errors.' : `Errors: ${formatCount(faults.length)}.`}`,
      )
      if (background.length > 0) print(formatRemainingTasks(background))
    }
    if (faults.length > 0) {
      throw new CommandError('The store has integrity errors.', RESTORE_HINT)
    }
  },
}

function formatFault({ where, what }: Fault): string {
  return `${where}: ${what}`
}
