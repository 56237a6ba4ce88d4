// The part of append-session.ts that runs in the thread of the database.
import { decodeRows } from '../buffer/row-buffer.ts'
import type { SessionModule, Transaction } from '../dialect/dialect.ts'
import { type AppendOptions, ScenarioAppender } from '../scenarios/append.ts'
import type { RejectedRow, RejectionReason } from '../scenarios/conflicts.ts'
import { SCENARIO_ROW_CODEC } from '../scenarios/row.ts'

export type ThreadOptions = Omit<AppendOptions, 'onRejected'> & { evaluation: number }

export type RejectedRows = { row: RejectedRow; reason: RejectionReason }[]

export const open: SessionModule['open'] = async (transaction: Transaction, options: unknown) => {
  const { evaluation, ...appendOptions } = options as ThreadOptions
  let rejectedRows: RejectedRows = []
  const appender = await ScenarioAppender.begin(transaction, evaluation, {
    ...appendOptions,
    onRejected: ({ id, location }, reason) => rejectedRows.push({ row: { id, location }, reason }),
  })
  return {
    async add(frame) {
      rejectedRows = []
      await appender.add(decodeRows(SCENARIO_ROW_CODEC, frame))
      return rejectedRows
    },
    finish: () => appender.finish(),
  }
}
