// assay compact: removes rows that are not used any more, and makes the file of an embedded store smaller.
import { runTask } from '../store/background/task.ts'
import { REMOVE_DELETED } from '../store/scenarios/removal.ts'
import type { Command } from './command.ts'
import { formatMegabytes } from './output/progress.ts'
import { print } from './output/terminal-text.ts'
import { withStore } from './target/with-store.ts'

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
