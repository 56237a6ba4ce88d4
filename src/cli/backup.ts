// assay backup: one consistent copy of the store, while it is being used.
import { type Command, print } from './command.ts'
import { finishedFile } from './finished-file.ts'
import { withStore } from './store.ts'

export const backup: Command = {
  name: 'backup',
  takes: 'FILE',
  summary: 'Writes a copy of the store to a file, while it is being served.',
  words: [1, 1],
  async run(settings, [file = '']) {
    await withStore(settings, (store) => finishedFile(store, file, (temporary) => store.backup(temporary)))
    print(`Backed up to ${file}.`)
  },
}
