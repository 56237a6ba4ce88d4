// Opens the target that the settings name: a service with --url, otherwise the local store. Only the needed one is loaded.
import type { Settings } from '../../settings/settings.ts'
import { Target } from './target.ts'
import { withStore } from './with-store.ts'

export async function withTarget<Result>(
  settings: Settings,
  work: (target: Target) => Promise<Result>,
  createIfMissing = false,
): Promise<Result> {
  const { url, key } = settings
  if (url !== undefined) {
    const { openServiceApi } = await import('./service-api.ts')
    return work(new Target(await openServiceApi(url, key)))
  }
  const { openStoreApi } = await import('./store-api.ts')
  return withStore(
    settings,
    async (store) => {
      const api = openStoreApi(store, settings)
      return await work(new Target(api)).finally(() => api.close())
    },
    createIfMissing,
  )
}
