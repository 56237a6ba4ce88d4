// assay migrate: migrates the store to the schema of this version, and reports what was done.
import { findRemainingTasks } from '../store/scenarios/removal.ts'
import { openStore } from '../store/store.ts'
import type { Command } from './command.ts'
import { formatRemainingTasks } from './output/remaining-tasks.ts'
import { print } from './output/terminal-text.ts'

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
