// assay serve: the API and the page over HTTP, until SIGTERM or SIGINT.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import pino, { type DestinationStream, type Logger } from 'pino'
import { CommandError } from '../errors.ts'
import { buildApp } from '../http/app.ts'
import { type Settings, wrongUse } from '../settings.ts'
import { openStore } from '../store/store.ts'
import { addressOf } from './address.ts'
import { type Command, print } from './command.ts'
import { loadSample, renewSampleKey, sampleReads } from './sample.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Serves the page and the API, with its reference at /docs.',
  words: [0, 0],
  async run(settings) {
    const { log, destination } = openLog(settings)
    const store = await openStore(settings, { onChange: noteChange(log) })
    const stopped = stopSignal()
    try {
      if (settings.sample) await loadSample(store)
      const { app, connections } = await buildApp({
        reader: store.reader,
        writer: store.writer,
        settings,
        log,
      })
      await app.ready()
      const address = await listen(app.server, settings)
      print(`Listening on ${address}`)
      if (settings.sample) printSample(address, await renewSampleKey(store))
      log.info({ address, pid: process.pid }, 'listening')
      log.info({ signal: await stopped }, 'draining')
      await connections.drain(settings.drain_timeout, stopSignal())
      await app.close()
    } finally {
      await store.close()
    }
    log.info('stopped')
    await flush(destination)
  },
}

/** Requests go on from other servers, or are refused one by one: whoever runs it hears of the reason here. */
function noteChange(log: Logger) {
  return ({ server, failure }: { server: string; failure?: unknown }) => {
    if (failure === undefined) log.info({ server }, 'a database server is back')
    else log.warn({ server, err: failure }, 'a database server cannot be reached')
  }
}

type Destination = ReturnType<typeof pino.destination>
const FLUSH_MS = 1000

/** The last lines, if they can be written: what pino would do at the exit tries for ever on a full disk. */
async function flush(destination: Destination): Promise<void> {
  await Promise.race([new Promise((resolve) => destination.flush(resolve)), delay(FLUSH_MS)])
  destination.flushSync = () => undefined
}

/** Lines go out in batches: writing each one by itself would cost as much as a small answer. */
function openLog({ log_level }: Settings): { log: Logger; destination: Destination } {
  const levels = [...Object.keys(pino.levels.values), 'silent']
  if (!levels.includes(log_level)) {
    throw wrongUse(`--log-level is '${log_level}', which is not one of ${levels.join(', ')}.`, 'serve')
  }
  const destination = pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 200 })
  // A log that cannot be written, to a full disk say, must not take the service with it.
  destination.on('error', () => undefined)
  const options = { level: log_level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return { log: pino(options, destination as DestinationStream), destination }
}

/** Resolves with the next signal that asks the service to end; the one behind it acts as usual. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    function stop(signal: NodeJS.Signals): void {
      process.off('SIGTERM', stop).off('SIGINT', stop)
      resolve(signal)
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
  })
}

async function listen(server: Server, { host, port }: Settings): Promise<string> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw new CommandError(
      `Cannot listen on ${host}, port ${port}: ${(error as Error).message}`,
      (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
        ? 'Another process uses it: choose another with --port, or 0 for any free one.'
        : 'Check --host and --port: the address must be one of this machine that this user may listen on.',
    )
  }
  const address = server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  return addressOf(host, actual)
}

function printSample(address: string, key: string): void {
  print(`Key: ${key}`)
  // Behind the number sign it stays in the browser, which sends it nowhere.
  print(`Open: ${address}/#key=${key}`)
  for (const path of sampleReads()) print(`curl -H 'Authorization: Bearer ${key}' '${address}/api${path}'`)
}
