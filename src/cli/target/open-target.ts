// Opens the target that the settings name: a service with --url, otherwise the local store.
import type { Settings } from '../../settings/settings.ts'
import { StoreTarget } from './store-target.ts'
import type { Target } from './target.ts'
import { withStore } from './with-store.ts'

export async function withTarget<Result>(
  settings: Settings,
  work: (target: Target) => Promise<Result>,
  createIfMissing = false,
): Promise<Result> {
  if (settings.url !== undefined) return work(await openServiceTarget(settings.url, settings.key))
  return withStore(settings, (store) => work(new StoreTarget(store, settings)), createIfMissing)
}

/** Imported on demand: commands on a store do not need the client. */
export async function openServiceTarget(url: string, key: string | undefined): Promise<Target> {
  const { ServiceTarget } = await import('./service-target.ts')
  return ServiceTarget.open(url, key)
}
