// Temporary files that cannot be written.
import { BufferingError } from '../../import/source.ts'
import { cannotBuffer } from '../../store/buffer/line-buffer.ts'

export function throwBufferingProblem(error: unknown): never {
  throw error instanceof BufferingError ? cannotBuffer(error.cause) : error
}
