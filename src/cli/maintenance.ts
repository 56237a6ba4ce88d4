// assay backup, check, compact and migrate: maintenance of a store.
import { CommandError, RESTORE_HINT } from '../errors.ts'
import { runTask } from '../store/background/task.ts'
import { checkStore } from '../store/check.ts'
import { findRemainingTasks, REMOVE_DELETED } from '../store/scenarios/removal.ts'
import { openStore } from '../store/store.ts'
import type { Command } from './command.ts'
import { writeFileAtomically } from './output/atomic-file.ts'
import { formatCount, formatMegabytes, Progress } from './output/progress.ts'
import { print } from './output/terminal-text.ts'
import { withStore } from './target/with-store.ts'

/** Writes a consistent copy of the store, also while a service uses it. */
export const backup: Command = {
  argumentCount: [1, 1],
  async run(settings, [file = '']) {
    await withStore(settings, (store) =>
      writeFileAtomically(store, file, (temporaryPath) => store.backup(temporaryPath)),
    )
    print(`Backed up to ${file}.`)
  },
}

/** Verifies the integrity of the store and of its derived data. */
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
      for (const fault of faults) print(`${fault.where}: ${fault.what}`)
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

/** Removes rows that are not used any more, and makes the file of an embedded store smaller. */
export const compact: Command = {
  async run(settings) {
    const sizes = await withStore(settings, async (store) => {
      await runTask(store, REMOVE_DELETED)
      return store.compact()
    })
    if (settings.json) return print(JSON.stringify(sizes, null, 2))
    print(
      `The store has ${formatMegabytes(sizes.bytes)}. Before, it had ${formatMegabytes(sizes.bytes_before)}.`,
    )
  },
}

/** Migrates the store to the schema of this version, and reports what was done. */
export const migrate: Command = {
  async run(settings) {
    const applied: string[] = []
    const store = await openStore(settings, {
      createIfMissing: false,
      mustBeWritable: true,
      onMigration: (name) => applied.push(name),
    })
    const background = await findRemainingTasks(store.reader).finally(() => store.close())
    if (settings.json) return print(JSON.stringify({ applied, background }, null, 2))
    print(applied.length === 0 ? 'The store is up to date.' : `Applied: ${applied.join(', ')}.`)
    if (background.length > 0) print(formatRemainingTasks(background))
  },
}

/** For example: `The service does the rest in the background: remove deleted evaluations (evaluations: 3).` */
function formatRemainingTasks(tasks: { task: string; evaluations: number }[]): string {
  const list = tasks.map(({ task, evaluations }) => `${task} (evaluations: ${formatCount(evaluations)})`)
  return `The service does the rest in the background: ${list.join(', ')}.`
}
