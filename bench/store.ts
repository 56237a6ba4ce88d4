// Opens a store by its URL, with default settings.
import { defaultSettings, type Settings } from '../src/settings/settings.ts'
import { openStore, type Store } from '../src/store/store.ts'

export function openStoreAt(
  url: string,
  changes: Partial<Settings> = {},
  options: { createIfMissing?: boolean } = {},
): Promise<Store> {
  return openStore({ ...defaultSettings(), database: url, ...changes }, options)
}
