// The SQLite files that this process has open, in any of its threads. They must not be read without SQLite: closing a file releases
// all locks of the process on it, and another process could then delete the -wal file that this one writes to.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

export function isOpenInProcess(path: string): boolean {
  return countStores(nameOf(path)) > 0
}

/** Threads that start later know it too. Call the result when the store is closed. */
export function rememberFile(path: string): () => void {
  const name = nameOf(path)
  setEnvironmentData(name, countStores(name) + 1)
  return () => setEnvironmentData(name, countStores(name) - 1 || undefined)
}

function countStores(name: string): number {
  return Number(getEnvironmentData(name) ?? 0)
}

function nameOf(path: string): string {
  try {
    return `assay store ${realpathSync(path)}`
  } catch {
    return `assay store ${resolve(path)}`
  }
}
