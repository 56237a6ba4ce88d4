// assay serve: serves the API and the web page, in one process or with several workers, until SIGTERM or SIGINT.
import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.ts'
import { openStore, type Store } from '../store/store.ts'
import type { Command } from './command.ts'
import { print } from './output/terminal-text.ts'
import { openLog } from './service/log.ts'
import { logMigration, serveStore } from './service/serve-store.ts'
import { Supervisor } from './service/supervisor.ts'
import { isWorker, serveAsWorker } from './service/worker.ts'

/** API paths for the example requests: the evaluation with regressions, and the variant it ran. */
const SAMPLE_PATHS = [
  '/evaluations/support-answer-r5/evaluation_scenarios',
  '/variants/support-answer/revisions',
]

export const serve: Command = {
  async run(settings) {
    const { log, flush } = openLog(settings)
    if (isWorker) await serveAsWorker(settings, log)
    else if (settings.workers > 1) await serveWithWorkers(settings, log)
    else await serveWithoutWorkers(settings, log)
    await flush()
  },
}

async function serveWithoutWorkers(settings: Settings, log: Logger): Promise<void> {
  const stopSignal = nextStopSignal()
  let key: string | undefined
  await serveStore({
    settings,
    log,
    // A second service on the same port must fail before it changes the store.
    bindsFirst: true,
    async prepare(store) {
      key = await prepareSample(store, settings)
    },
    untilStopped(address) {
      printAddress(address, settings, key)
      return stopSignal
    },
    untilForced: nextStopSignal,
  })
}

async function serveWithWorkers(settings: Settings, log: Logger): Promise<void> {
  const stopSignal = nextStopSignal()
  const supervisor = new Supervisor(log)
  // A stop signal during the start is not an error.
  const stopped = stopSignal.then(() => undefined)
  try {
    const isBound = await Promise.race([supervisor.bind(settings.workers).then(() => true), stopped])
    if (isBound) {
      const key = await prepareStore(settings, log)
      const address = await Promise.race([supervisor.serve(), stopped])
      if (address !== undefined) printAddress(address, settings, key)
    }
  } catch (error) {
    await supervisor.stop(Promise.resolve())
    throw error
  }
  await stopSignal
  await supervisor.stop(nextStopSignal())
  log.info({ pid: process.pid }, 'stopped')
}

/** Migrates the store and loads the sample before the workers open the store. */
async function prepareStore(settings: Settings, log: Logger): Promise<string | undefined> {
  const store = await openStore(settings, { mustBeWritable: true, onMigration: logMigration(log) })
  return await prepareSample(store, settings).finally(() => store.close())
}

/** Loads the sample data and returns its key if --sample is set. */
async function prepareSample(store: Store, { sample }: Settings): Promise<string | undefined> {
  if (!sample) return undefined
  // Imported on demand, with what it needs to parse files.
  const { loadSample, renewSampleKey } = await import('./service/sample.ts')
  await loadSample(store)
  return renewSampleKey(store)
}

function printAddress(address: string, { public_url }: Settings, key: string | undefined): void {
  print(`Listening on ${address}`)
  if (key === undefined) return
  print(`Key: ${key}`)
  // Browsers do not send the fragment to the server, so the key appears in no server log.
  const url = public_url ?? address
  print(`Open: ${url}/#key=${key}`)
  for (const path of SAMPLE_PATHS) print(`curl -H 'Authorization: Bearer ${key}' '${url}/api${path}'`)
}

/** Resolves with the next SIGTERM or SIGINT. Later signals have their default effect. */
export function nextStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    function stop(signal: NodeJS.Signals): void {
      process.off('SIGTERM', stop).off('SIGINT', stop)
      resolve(signal)
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
  })
}
