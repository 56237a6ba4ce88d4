// The service as a process of its own, for benchmarks and tests.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Flags of a service without response cache. */
export const CACHE_DISABLED = ['--max-cache-bytes', '0']

export interface ServiceProcess {
  baseUrl: string
  child: ChildProcess
  /** The lines printed to standard output at the start. */
  lines: string[]
  /** Standard error so far, if it is read. */
  stderr(): string
}

interface StartOptions {
  env?: Record<string, string>
  main?: string
  /** A command that runs the service. */
  launcher?: string[]
  /** Reading the log costs processor time of this process. */
  readsLog?: boolean
}

/** Starts the service on a free port. Resolves when it has printed all its start lines. */
export async function startService(
  args: string[],
  { env = {}, main = MAIN, launcher = [], readsLog = false }: StartOptions = {},
): Promise<ServiceProcess> {
  const [program = '', ...rest] = [...launcher, process.execPath, main, 'serve', '--port', '0', ...args]
  const child = spawn(program, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', readsLog ? 'pipe' : 'ignore'],
  })
  let output = ''
  let errors = ''
  const { stdout } = child
  if (!stdout) throw new Error('No standard output')
  stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  const expectedLines = args.includes('--sample') ? 5 : 1
  while (output.split('\n').length <= expectedLines) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The service exited with ${child.exitCode ?? child.signalCode}: ${errors}`)
    await Promise.race([once(stdout, 'data'), once(child, 'exit')])
  }
  const lines = output.trimEnd().split('\n')
  return { baseUrl: lines[0]?.replace('Listening on ', '') ?? '', child, lines, stderr: () => errors }
}

export async function stopService({ child }: ServiceProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}
