// Modules that are not in the initial bundle. They load on first use, and are preloaded a few seconds after the first page, so
// that they also work while the server is unavailable.
import { AssayConnectionError } from 'assay-client'
import { isServerReady } from './client.ts'

const PRELOAD_DELAY_MS = 5000

export type Loader<Module> = () => Promise<Module>

const registeredLoaders = new Set<Loader<unknown>>()
let isPreloading = false

/** The server responds, but did not send a script of the page. Usually it serves a newer build. */
export class MissingScriptError extends Error {
  override name = 'MissingScriptError'
}

/** Registers a module for preloading. Returns a function that loads it. */
export function lazyModule<Module>(load: Loader<Module>): Loader<Module> {
  // Lazy pages register their modules when they load, which can be after preloading has started.
  if (isPreloading) preload(load)
  else registeredLoaders.add(load)
  return async () => {
    try {
      return await load()
    } catch (cause) {
      if (!(await isServerReady())) throw new AssayConnectionError('The server cannot be reached.', { cause })
      throw new MissingScriptError('A script of the page is missing. Reload the page.', { cause })
    }
  }
}

export function preloadLazyModules(): void {
  setTimeout(() => {
    isPreloading = true
    registeredLoaders.forEach(preload)
  }, PRELOAD_DELAY_MS)
}

/** A module that cannot be preloaded is loaded on use. */
function preload(load: Loader<unknown>): void {
  load().catch(() => undefined)
}

let isReloading = false

/** Reloads the page to get a newer build. Returns false if that did not help: it reloads once per build and tab. */
export function reloadOnce(): boolean {
  // Each build has another name for this script.
  const item = `assay.reload ${import.meta.url}`
  if (isReloading) return true
  if (sessionStorage.getItem(item) !== null) return false
  sessionStorage.setItem(item, '')
  isReloading = true
  location.reload()
  return true
}
