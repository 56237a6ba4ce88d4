// assay backup: one consistent copy of the store, while it is being used.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { CommandError } from '../errors.ts'
import type { Store } from '../store/store.ts'
import { type Command, print } from './command.ts'
import { finishedFile } from './finished-file.ts'
import { withStore } from './store.ts'

export const backup: Command = {
  name: 'backup',
  takes: 'FILE',
  summary: 'Writes a copy of the store to a file, while it is being served.',
  words: [1, 1],
  async run(settings, [file = '']) {
    await withStore(settings, async (store) => {
      refuseItself(store, file)
      await finishedFile(file, (temporary) => store.backup(temporary))
    })
    print(`Backed up to ${file}.`)
  },
}

/** Renamed over a file of the store that is open, a copy would lose what is in it and what is written from now on. */
function refuseItself({ file }: Store, target: string): void {
  const own = ['', '-wal', '-shm', '-journal'].map((ending) => realPath(`${file}${ending}`))
  if (file === undefined || !own.includes(realPath(target))) return
  throw new CommandError(`${target} is a file of the store itself.`, 'Name another file for the copy.')
}

/** Of a file that may not be there: through its folder. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
