// Ctrl-C during an import: what has been stored then.
import { CommandError } from '../../errors.ts'

/** The whole file was sent to a service, whose response did not arrive before the interruption. */
export class ResponseInterrupted extends Error {
  override name = 'ResponseInterrupted'
}

/** Runs work that stops at the first Ctrl-C. A second one ends the process at once. */
export async function stopOnInterrupt<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  describe: (error: unknown) => CommandError,
): Promise<Result> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  process.once('SIGINT', abort)
  try {
    return await work(controller.signal)
  } catch (error) {
    throw controller.signal.aborted ? describe(error) : error
  } finally {
    process.off('SIGINT', abort)
  }
}

/** Waits for work that stores nothing, such as reading standard input, until an interruption. */
export function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  if (signal.aborted) reject(signal.reason)
  return Promise.race([work, promise])
}

/** `file` is the one that was not imported completely. Undefined if no file was read. */
export function interruptedError(
  error: unknown,
  file: string | undefined,
  hasReports: boolean,
): CommandError {
  const others = hasReports ? ' Files before it were imported as reported above.' : ''
  const hint = 'To import it, run the command again: what is stored already stays unchanged.'
  if (file === undefined) return new CommandError('Interrupted. Nothing was stored.', hint, 130)
  if (error instanceof ResponseInterrupted)
    return new CommandError(
      `Interrupted after ${file} was sent, before the response: the service can have stored it completely or not at all.${others}`,
      hint,
      130,
    )
  return new CommandError(
    `Interrupted while ${file} was imported. Nothing of it was stored.${others}`,
    hint,
    130,
  )
}
