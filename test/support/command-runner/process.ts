// The child process of run.ts: runs src/main.ts once per message, with its own arguments and output.
import process from 'node:process'

interface Message {
  args: string[]
  env: Record<string, string>
}

type WriteCallback = (error?: Error | null) => void

/** Collects what is written to a stream. */
function capture(stream: NodeJS.WriteStream): () => string {
  const chunks: Buffer[] = []
  stream.write = (chunk: string | Uint8Array, encoding?: unknown, callback?: WriteCallback) => {
    chunks.push(Buffer.from(chunk as Uint8Array))
    const done = typeof encoding === 'function' ? (encoding as WriteCallback) : callback
    if (done) queueMicrotask(() => done())
    return true
  }
  return () => Buffer.concat(chunks).toString()
}

let commandCount = 0

async function run({ args, env }: Message): Promise<void> {
  commandCount += 1
  const originalEnv = { ...process.env }
  Object.assign(process.env, env)
  process.argv.splice(2, process.argv.length, ...args)
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  const exit = Promise.withResolvers<number>()
  process.exit = ((code: number) => exit.resolve(code)) as typeof process.exit
  // Only src/main.ts itself is evaluated again. The modules that it imports are loaded once.
  await import(`../../../src/main.ts?${commandCount}`)
  const code = await exit.promise
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  for (const name of Object.keys(env)) delete process.env[name]
  Object.assign(process.env, originalEnv)
  process.send?.({ code, stdout: stdout(), stderr: stderr() })
}

process.on('message', (message) => void run(message as Message))
process.on('disconnect', () => process.kill(process.pid))
