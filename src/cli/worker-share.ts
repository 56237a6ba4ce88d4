// What one of several processes may use.
import type { Settings } from '../settings.ts'

/** So that all of them together stay within the settings. */
export function shareOf(settings: Settings, workers: number): Settings {
  const part = (whole: number, least: number) => Math.max(least, Math.floor(whole / workers))
  return {
    ...settings,
    max_connections: part(settings.max_connections, 1),
    max_spool_bytes: part(settings.max_spool_bytes, 0),
    max_rendition_bytes: part(settings.max_rendition_bytes, 0),
    pool_size: part(settings.pool_size, 2),
    write_pool_size: part(settings.write_pool_size, 1),
  }
}
