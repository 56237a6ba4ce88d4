// The part of delete-scenarios.ts that runs in the thread of the database.
import type { SessionModule, Transaction } from '../dialect/dialect.ts'
import { type Deletion, deleteInBatches } from './delete-scenarios.ts'

export const open: SessionModule['open'] = async (transaction: Transaction, options: unknown) => ({
  finish: () => deleteInBatches(transaction, options as Deletion),
})
