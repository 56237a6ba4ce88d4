// A read replica: waits until it has replayed a position of the primary, and detects that it is lagging.
import { setTimeout as delay } from 'node:timers/promises'
import { unavailableError } from '../errors.ts'
import type { PostgresConnection } from './connection.ts'
import type { PostgresPool } from './pool.ts'

/** Delays between checks whether a replica has caught up. */
const CATCH_UP_DELAYS_MS = [2, 5, 10, 20, 40]

/** A replica that has not caught up is not used for this time, so that not every request waits for it. */
const LAG_BACKOFF_MS = 200

/** A server that was promoted still reports the last position that it replayed. */
const HAS_REPLAYED =
  'SELECT pg_is_in_recovery() AS "isReplica", pg_last_wal_replay_lsn() >= ?::pg_lsn AS "hasReplayed"'

export class Replica {
  readonly pool: PostgresPool
  #laggingUntil = 0

  constructor(pool: PostgresPool) {
    this.pool = pool
  }

  /** Whether the replica did not catch up a short time ago. */
  get isLagging(): boolean {
    return performance.now() < this.#laggingUntil
  }

  /**
   * Throws unavailable if the replica does not catch up. Must run before the snapshot begins: inside of it, the
   * position could be newer than the snapshot.
   */
  async waitForReplay(connection: PostgresConnection, lsn: string): Promise<void> {
    for (const delayMs of [...CATCH_UP_DELAYS_MS, 0]) {
      const row = await connection.get<{ isReplica: boolean; hasReplayed: boolean }>(HAS_REPLAYED, lsn)
      if (!row?.isReplica) break
      if (row.hasReplayed) return
      await delay(delayMs)
    }
    this.#laggingUntil = performance.now() + LAG_BACKOFF_MS
    throw unavailableError(new Error('The replica has not caught up'))
  }
}
