// Leases: while a reviewer has a row open, others are given other rows.
import type { Connection, Transaction } from '../dialect/dialect.ts'
import type { FoundReview } from './reviews.ts'
import { type ReviewedRow, reviewersOf } from './rows.ts'

const LEASE_MS = 300_000

interface Lease {
  reviewer: string
  scenario_id: string
}

const READ_LEASES =
  'SELECT reviewer, scenario_id FROM review_lease WHERE project = ? AND review_id = ? AND leased_until > ?'

const SET_LEASE = `INSERT INTO review_lease (project, review_id, reviewer, scenario_id, leased_until)
  VALUES (?, ?, ?, ?, ?) ON CONFLICT (project, review_id, reviewer)
  DO UPDATE SET scenario_id = excluded.scenario_id, leased_until = excluded.leased_until`

/** Who takes a row, at what time, and the row that is not wanted. */
export interface LeaseRequest {
  reviewer: string
  now: number
  /** The id of the row that the reviewer leaves. Without one, a leased row comes first. */
  after: string | undefined
}

/**
 * Leases one of the rows that the reviewer can answer, which are in the order in which they are offered, for 5 minutes: the one that is leased already, or otherwise the first that others do
 * not have open. Undefined if there is none.
 */
export async function leaseRow(
  transaction: Transaction,
  { project, review }: FoundReview,
  open: readonly ReviewedRow[],
  { reviewer, now, after }: LeaseRequest,
): Promise<ReviewedRow | undefined> {
  await transaction.lock('review', project, review.id)
  const leases = await readLeases(transaction, { project, id: review.id }, now)
  const isFree = (row: ReviewedRow) => {
    const holders = leases.filter(
      (lease) => lease.scenario_id === row.scenario_id && lease.reviewer !== reviewer,
    )
    const others = new Set([...reviewersOf(review, row), ...holders.map((lease) => lease.reviewer)])
    return others.size < row.needed
  }
  const own = leases.find((lease) => lease.reviewer === reviewer)
  const leased = after === undefined && open.find(({ scenario_id }) => scenario_id === own?.scenario_id)
  const row = leased || open.find(isFree)
  const until = new Date(now + LEASE_MS).toISOString()
  if (row) await transaction.run(SET_LEASE, project, review.id, reviewer, row.scenario_id, until)
  return row
}

function readLeases(
  connection: Connection,
  { project, id }: { project: number; id: string },
  now: number,
): Promise<Lease[]> {
  return connection.all<Lease>(READ_LEASES, project, id, new Date(now).toISOString())
}
