// Opens a store by its URL alone, everything else at its default.
import { defaultSettings, type Settings } from '../src/settings.ts'
import { openStore, type Store } from '../src/store/store.ts'

export function openAt(
  url: string,
  changes: Partial<Settings> = {},
  options: { mayMake?: boolean } = {},
): Promise<Store> {
  return openStore({ ...defaultSettings(), database: url, ...changes }, options)
}
