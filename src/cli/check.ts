// assay check: whether the store is sound, and whether what was derived agrees with what was written.
import { CommandError } from '../errors.ts'
import { checkStore, type Fault } from '../store/check.ts'
import { type Command, print } from './command.ts'
import { Progress, whole } from './progress.ts'
import { withStore } from './store.ts'

export const check: Command = {
  name: 'check',
  summary: 'Checks that the store is sound and that everything derived agrees with what was written.',
  words: [0, 0],
  async run(settings) {
    const { checked, faults } = await withStore(settings, async (store) => {
      const progress = new Progress('Checking', whole)
      try {
        return await checkStore(store, (scenarios, ofAll) => progress.show(scenarios, ofAll))
      } finally {
        progress.end()
      }
    })
    if (settings.json) print(JSON.stringify({ ...checked, faults }, null, 2))
    else {
      for (const fault of faults) print(lineOf(fault))
      const { evaluations, scenarios, variants, revisions } = checked
      print(
        `Evaluations: ${whole(evaluations)}, scenarios: ${whole(scenarios)}, variants: ${whole(variants)}, revisions: ${whole(revisions)}. ${faults.length === 0 ? 'All is well.' : `Faults: ${whole(faults.length)}.`}`,
      )
    }
    if (faults.length > 0) {
      throw new CommandError(
        'The store has faults.',
        'Restore a backup, and keep this file for finding the cause.',
      )
    }
  },
}

function lineOf({ where, what }: Fault): string {
  return `${where}: ${what}`
}
