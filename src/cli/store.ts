// The store that a command works on, opened and closed around its work.
import type { Settings } from '../settings.ts'
import { openStore, type Store, storeUrl } from '../store/store.ts'

export async function withStore<Answer>(
  settings: Pick<Settings, 'data' | 'database'>,
  work: (store: Store) => Promise<Answer>,
  mayMake = false,
): Promise<Answer> {
  const store = await openStore(storeUrl(settings), { mayMake })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
