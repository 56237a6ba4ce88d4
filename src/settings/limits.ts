// The settings that limit what clients can do, for the API reference and the OpenAPI document.
import { SETTINGS } from './setting-table.ts'
import { flagOf } from './settings.ts'

export interface Limit {
  /** As in the flag, without dashes at the start. */
  name: string
  default: string
  help: string
}

export function listLimits(): Limit[] {
  return Object.entries(SETTINGS)
    .filter(([name]) => /^max_|_limit$|_timeout$/.test(name))
    .map(([name, { default: value, help }]) => ({
      name: flagOf(name).slice(2),
      default: String(value),
      help: typeof help === 'string' ? help : (help.serve ?? ''),
    }))
}
