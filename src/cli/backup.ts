// assay backup: writes a consistent copy of the store, also while a service uses it.
import type { Command } from './command.ts'
import { writeFileAtomically } from './output/atomic-file.ts'
import { print } from './output/terminal-text.ts'
import { withStore } from './target/with-store.ts'

export const backup: Command = {
  argumentCount: [1, 1],
  async run(settings, [file = '']) {
    await withStore(settings, (store) =>
      writeFileAtomically(store, file, (temporaryPath) => store.backup(temporaryPath)),
    )
    print(`Backed up to ${file}.`)
  },
}
