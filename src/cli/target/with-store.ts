// Opens the store for a command and closes it afterwards.
import { openStore, type Store, type StoreSettings } from '../../store/store.ts'

export async function withStore<Result>(
  settings: StoreSettings,
  work: (store: Store) => Promise<Result>,
  createIfMissing = false,
): Promise<Result> {
  const store = await openStore(settings, { createIfMissing, writesHere: true })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
