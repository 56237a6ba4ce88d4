// Preloaded into a service with NODE_OPTIONS=--import: writes the modules that the main thread has loaded, and the threads that
// it has started, to the file $LOADED_MODULES when the process exits.
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const urls: string[] = []
  registerHooks({
    load(url, context, nextLoad) {
      urls.push(url)
      return nextLoad(url, context)
    },
  })
  process.on('worker', () => urls.push('worker thread'))
  process.on('exit', () => {
    // Not in Node's types: the built-in modules, also those that other built-in modules load.
    const { moduleLoadList } = process as unknown as { moduleLoadList: string[] }
    writeFileSync(process.env.LOADED_MODULES ?? '', JSON.stringify([...urls, ...moduleLoadList]))
  })
}
