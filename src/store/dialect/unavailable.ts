// What is answered when a store cannot do its part at the moment, whichever engine it is.
import { Problem } from '../../errors.ts'

export function unavailable(cause: unknown, retryAfterMs = 1000): Problem {
  const detail = 'The store cannot answer at the moment. Try again shortly.'
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new Problem('unavailable', detail, { 'retry-after': String(seconds) }, { cause })
}

export function noRoom(cause: unknown): Problem {
  const detail = 'There is no room left to store this. Nothing of it was kept; try again when there is.'
  return new Problem('insufficient-storage', detail, { 'retry-after': '60' }, { cause })
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unavailable'
}
