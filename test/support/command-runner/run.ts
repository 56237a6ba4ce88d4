// Runs commands in one child process for all test files of this process, because loading all modules again for every command is slow.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type CommandResult, runAssay } from '../harness.ts'
import { afterAllFiles } from '../process-end.ts'

let runner: ChildProcess | undefined
let lastCommand: Promise<unknown> = Promise.resolve()

/**
 * Like runAssay, but without a process of its own. Commands run one after the other. A service and a command with
 * standard input need their own process and get one.
 */
export function runAssayCommand(
  args: string[],
  env: Record<string, string> = {},
  input?: string | Uint8Array,
): Promise<CommandResult> {
  if (input !== undefined || args[0] === 'serve') return runAssay(args, env, input)
  // node:test follows promises: one that is derived from the last command would belong to the test of that command.
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>()
  lastCommand = lastCommand.then(() => run(args, env)).then(resolve, reject)
  return promise
}

async function run(args: string[], env: Record<string, string>): Promise<CommandResult> {
  runner ??= startRunner()
  runner.send({ args, env })
  const waiting = new AbortController()
  const events = ['message', 'exit'].map((name) => once(runner as ChildProcess, name, waiting))
  const [result] = await Promise.race(events).finally(() => {
    for (const event of events) event.catch(() => undefined)
    waiting.abort()
  })
  if (typeof result !== 'object' || result === null)
    throw new Error(`The command runner ended during assay ${args.join(' ')}`)
  return result
}

function startRunner(): ChildProcess {
  const file = fileURLToPath(new URL('./process.ts', import.meta.url))
  const child = fork(file, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  afterAllFiles(async () => void child.kill())
  return child
}
