// Loaded into a command by run.ts: logs, in order, which files it syncs and renames.
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const logFile = process.env.ASSAY_TEST_FILE_LOG ?? ''

function log(...words: unknown[]): void {
  fs.appendFileSync(logFile, `${words.join(' ')}\n`)
}

const pathOf = (fd: number) => fs.readlinkSync(`/proc/self/fd/${fd}`)

const { fsyncSync, renameSync } = fs
fs.fsyncSync = (fd) => {
  fsyncSync(fd)
  log('sync', pathOf(fd))
}
fs.renameSync = (from, to) => {
  renameSync(from, to)
  log('rename', from, to)
}
const { rename } = promises
promises.rename = async (from, to) => {
  await rename(from, to)
  log('rename', from, to)
}
const handle = await promises.open(import.meta.filename)
const prototype = Object.getPrototypeOf(handle) as typeof handle
const { sync } = prototype
prototype.sync = async function (this: typeof handle) {
  await sync.call(this)
  log('sync', pathOf(this.fd))
}
await handle.close()
syncBuiltinESMExports()
