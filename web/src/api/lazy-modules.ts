// Modules outside of the first script. They load on first use, and are preloaded a few seconds after the first page so that
// they also work while the server cannot be reached.
import { type ComponentType, createElement, type ReactNode, use } from 'react'

const PRELOAD_DELAY_MS = 5000
const MAX_RETRY_DELAY_MS = 30_000

type Loader<Module> = () => Promise<Module>
type LazyComponent<Props> = ((props: Props) => ReactNode) & { preload?: Loader<void> }

const registered = new Set<Loader<unknown>>()
let isPreloading = false

/** Registers a module for preloading. Returns a function that loads it, and retries until the server responds. */
export function lazyModule<Module>(load: Loader<Module>): Loader<Module> {
  const loader = () => loadWithRetries(load)
  // A lazily loaded page registers its modules after preloading has started.
  if (isPreloading) void loader()
  else registered.add(loader)
  return loader
}

/** Creates a component from a lazy module. The router awaits its `preload` before it renders a page. */
export function lazyComponent<Module, Props extends object>(
  load: Loader<Module>,
  pick: (module: Module) => ComponentType<Props>,
): LazyComponent<Props> {
  const loader = lazyModule(load)
  let component: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const preload = () => {
    loading ??= loader().then((module) => {
      component = pick(module)
      // Without `preload` the router renders the page at once.
      delete Lazy.preload
    })
    return loading
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
    for (const load of registered) void load()
  }, PRELOAD_DELAY_MS)
}

async function loadWithRetries<Module>(load: Loader<Module>): Promise<Module> {
  for (let wait = 1000; ; wait = Math.min(MAX_RETRY_DELAY_MS, wait * 2)) {
    try {
      return await load()
    } catch {
      // A server that responds without the file serves a newer build: reload the page.
      if (await isServerReachable()) location.reload()
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch('/livez')).ok
  } catch {
    return false
  }
}
