// Modules that are not in the initial bundle. They load on first use, and are preloaded a few seconds after the first page, so
// that they also work while the server is unavailable.
import { type ComponentType, createElement, type ReactNode, use } from 'react'
import { BASE_PATH } from '../state/base-path.ts'
import { queryClient } from './client.ts'

const PRELOAD_DELAY_MS = 5000
const PROBE_MS = 1000

type Loader<Module> = () => Promise<Module>
type LazyComponent<Props> = ((props: Props) => ReactNode) & { preload?: Loader<void> }

const registeredLoaders = new Set<Loader<unknown>>()
let isPreloading = false

/** Registers a module for preloading. Returns a function that loads it, and retries until it succeeds. */
export function lazyModule<Module>(load: Loader<Module>): Loader<Module> {
  const loader = () => loadWithRetries(load)
  // Lazy pages register their modules when they load, which can be after preloading has started.
  if (isPreloading) void loader()
  else registeredLoaders.add(loader)
  return loader
}

/** Creates a component of a lazy module. The router awaits its `preload` before it renders a page. */
export function lazyComponent<Props extends object>(
  load: Loader<ComponentType<Props>>,
): LazyComponent<Props> {
  const loader = lazyModule(load)
  let component: ComponentType<Props> | undefined
  let loadingPromise: Promise<void> | undefined
  const preload = () => {
    loadingPromise ??= loader().then((loaded) => {
      component = loaded
      // Without `preload` the router renders the page at once.
      delete Lazy.preload
    })
    return loadingPromise
  }
  const Lazy: LazyComponent<Props> = (props) => {
    if (!component) use(preload())
    return component && createElement(component, props)
  }
  Lazy.preload = preload
  return Lazy
}

export function preloadLazyModules(): void {
  setTimeout(() => {
    isPreloading = true
    for (const load of registeredLoaders) void load()
  }, PRELOAD_DELAY_MS)
}

async function loadWithRetries<Module>(load: Loader<Module>): Promise<Module> {
  for (;;) {
    try {
      return await load()
    } catch {
      // The server responds but does not have the file, so it serves a newer build. Reload the page.
      if (await isServerReachable()) location.reload()
      // Fails too, so that the banner appears at once.
      void queryClient.invalidateQueries({ queryKey: ['key'] })
      do await new Promise((resolve) => setTimeout(resolve, PROBE_MS))
      while (!(await isServerReachable()))
    }
  }
}

async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch(`${BASE_PATH}/livez`)).ok
  } catch {
    return false
  }
}
