// The part of append-session.ts that runs in the thread of the database.
import { decodeRows } from '../buffer/row-buffer.ts'
import type { SessionModule, Transaction } from '../dialect/dialect.ts'
import type { AppendOptions, AppendOutcome } from '../scenarios/append.ts'
import type { RejectedRow, RejectionReason } from '../scenarios/conflicts.ts'
import { SCENARIO_ROW_CODEC } from '../scenarios/row.ts'
import { beginAppend } from './replace-all.ts'

export type ThreadOptions = Omit<AppendOptions, 'onRejected'> & { evaluation: number }

export type RejectedRows = { row: RejectedRow; reason: RejectionReason }[]

export interface Finished {
  counts: AppendOutcome
  rejectedRows: RejectedRows
}

export const open: SessionModule['open'] = async (transaction: Transaction, options: unknown) => {
  const { evaluation, ...appendOptions } = options as ThreadOptions
  let rejectedRows: RejectedRows = []
  const appender = await beginAppend(transaction, evaluation, {
    ...appendOptions,
    onRejected: ({ id, location }, reason) => rejectedRows.push({ row: { id, location }, reason }),
  })
  return {
    async add(frame) {
      rejectedRows = []
      await appender.add(decodeRows(SCENARIO_ROW_CODEC, frame))
      return rejectedRows
    },
    async finish() {
      rejectedRows = []
      const counts = await appender.finish()
      return { counts, rejectedRows }
    },
  }
}
