// assay serve: the API and the page over HTTP, by one process or several, until SIGTERM or SIGINT.
import type { Logger } from 'pino'
import type { Settings } from '../settings.ts'
import { openStore, type Store } from '../store/store.ts'
import { type Command, print } from './command.ts'
import { openLog } from './log.ts'
import { loadSample, renewSampleKey, sampleReads } from './sample.ts'
import { serveStore } from './serving.ts'
import { stopSignal } from './stop-signal.ts'
import { isWorker, serveAsWorker } from './worker.ts'
import { Workers } from './workers.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Serves the page and the API, with its reference at /docs.',
  words: [0, 0],
  async run(settings) {
    const { log, flush } = openLog(settings)
    if (isWorker) await serveAsWorker(settings, log)
    else if (settings.workers > 1) await serveWithWorkers(settings, log)
    else await serveAlone(settings, log)
    await flush()
  },
}

async function serveAlone(settings: Settings, log: Logger): Promise<void> {
  const stopped = stopSignal()
  let key: string | undefined
  await serveStore({
    settings,
    log,
    async prepare(store) {
      key = await prepareSample(store, settings)
    },
    untilStopped(address) {
      announce(address, key)
      return stopped
    },
    untilHurried: stopSignal,
  })
}

async function serveWithWorkers(settings: Settings, log: Logger): Promise<void> {
  const stopped = stopSignal()
  // Brought up to date and filled by one, before others serve it.
  const store = await openStore(settings)
  const key = await prepareSample(store, settings).finally(() => store.close())
  const workers = new Workers(log)
  try {
    // Whoever interrupts the start has not seen it fail.
    const address = await Promise.race([workers.start(settings.workers), stopped.then(() => undefined)])
    if (address !== undefined) announce(address, key)
  } catch (error) {
    await workers.stop(Promise.resolve())
    throw error
  }
  await stopped
  await workers.stop(stopSignal())
  log.info({ pid: process.pid }, 'stopped')
}

/** The key to the sample, where it is wanted. */
async function prepareSample(store: Store, { sample }: Settings): Promise<string | undefined> {
  if (!sample) return undefined
  await loadSample(store)
  return renewSampleKey(store)
}

function announce(address: string, key: string | undefined): void {
  print(`Listening on ${address}`)
  if (key === undefined) return
  print(`Key: ${key}`)
  // Behind the number sign it stays in the browser, which sends it nowhere.
  print(`Open: ${address}/#key=${key}`)
  for (const path of sampleReads()) print(`curl -H 'Authorization: Bearer ${key}' '${address}/api${path}'`)
}
