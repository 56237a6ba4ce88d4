// The store that a command works on, opened and closed around its work.
import { openStore, type Store, type StoreSettings } from '../store/store.ts'

export async function withStore<Answer>(
  settings: StoreSettings,
  work: (store: Store) => Promise<Answer>,
  mayMake = false,
): Promise<Answer> {
  const store = await openStore(settings, { mayMake })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
