// The bulk thread: runs large writes on a store of its own, one after the other. bulk-thread.ts sends them.
import type { FileHandle } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { BufferSpace } from '../../disk-budget.ts'
import { Problem, type ProblemData } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { unavailableError } from '../../store/dialect/errors.ts'
import { openStore, type Store, temporaryFolder, type Writer } from '../../store/store.ts'
import { type WriteContext, type WriteOutcome, writeInTransaction } from '../request/write-transaction.ts'
import { OPERATIONS, type OperationName, type OperationOptions } from './operations.ts'

export interface Job {
  name: OperationName
  options: OperationOptions[OperationName]
  context: WriteContext
  /** The body, if it has one. */
  file?: FileHandle
  size?: number
}

export type JobMessage =
  | { kind: 'job'; job: Job }
  /** To `reserve` and `begin`. With a problem, the write is rejected. */
  | { kind: 'answer'; problem?: ProblemData }
  | { kind: 'close' }

export type ThreadMessage =
  | { kind: 'reserve'; bytes: number }
  | { kind: 'release'; bytes: number }
  /** Asks for the turn to write. */
  | { kind: 'begin' }
  | { kind: 'end' }
  | { kind: 'stored'; outcome: WriteOutcome }
  | { kind: 'problem'; problem: ProblemData }
  | { kind: 'failure'; failure: string }

const settings: Settings = {
  ...(workerData as Settings),
  // One write at a time.
  replica: [],
  pool_size: 1,
}
let openedStore: Promise<Store> | undefined
/** In the order of the questions, which is also the order of the answers. */
const pendingAnswers: PromiseWithResolvers<void>[] = []

function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message)
}

function ask(message: ThreadMessage): Promise<void> {
  const pendingAnswer = Promise.withResolvers<void>()
  pendingAnswers.push(pendingAnswer)
  tell(message)
  return pendingAnswer.promise
}

const space: BufferSpace = {
  reserve: (bytes) => ask({ kind: 'reserve', bytes }),
  release: (bytes) => tell({ kind: 'release', bytes }),
}

async function getStore(): Promise<Store> {
  openedStore ??= openStore(settings, { createIfMissing: false, writesHere: true })
  return openedStore.catch((error) => {
    openedStore = undefined
    throw unavailableError(error)
  })
}

async function run({ name, options, context, file, size = 0 }: Job): Promise<WriteOutcome> {
  const { reader, writer } = await getStore()
  const operation = await OPERATIONS[name]()
  const body = file ? { file: { file, size, close: () => file.close() }, space } : { chunks: [], space }
  const write = await operation(body, options as never, {
    reader,
    settings,
    folder: temporaryFolder(settings),
  })
  const turnWriter: Pick<Writer, 'transaction'> = {
    async transaction(work, actor) {
      await ask({ kind: 'begin' })
      try {
        return await writer.transaction(work, actor)
      } finally {
        tell({ kind: 'end' })
      }
    },
  }
  try {
    return await writeInTransaction(turnWriter, context, write)
  } finally {
    await write.close()
  }
}

async function handleJob(job: Job): Promise<void> {
  try {
    tell({ kind: 'stored', outcome: await run(job) })
  } catch (error) {
    if (error instanceof Problem) tell({ kind: 'problem', problem: error.toData() })
    else tell({ kind: 'failure', failure: (error as Error).stack ?? '' })
  } finally {
    await job.file?.close().catch(() => undefined)
  }
}

parentPort?.on('message', (message: JobMessage) => {
  if (message.kind === 'answer') {
    const pendingAnswer = pendingAnswers.shift()
    if (message.problem) pendingAnswer?.reject(Problem.fromData(message.problem))
    else pendingAnswer?.resolve()
  } else if (message.kind === 'job') void handleJob(message.job)
  else
    void Promise.resolve(openedStore)
      .catch(() => undefined)
      .then((store) => store?.close())
      .finally(() => parentPort?.close())
})
