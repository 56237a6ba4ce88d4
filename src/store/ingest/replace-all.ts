// Replaces all scenarios of an evaluation. The new ones are written to a hidden copy of the evaluation, which takes its place
// at the end.
import type { Appended } from '../../schema/scenarios.ts'
import type { Transaction } from '../dialect/dialect.ts'
import { type Appender, type AppendOptions, ScenarioAppender } from '../scenarios/append.ts'
import type { ColumnWriter } from '../scenarios/columns.ts'
import { Matches } from '../scenarios/matching.ts'
import {
  COMPARE_BATCH_SIZE,
  countAnswers,
  countMarks,
  countResults,
  MatchedReplacer,
} from '../scenarios/replace-matched.ts'
import type { ScenarioRow } from '../scenarios/row.ts'
import { adoptStaged, discardStaged, stageEvaluation } from '../scenarios/staged-evaluation.ts'

interface OldEvaluation {
  key: number
  id: string
  count: number
  nextPosition: number
}

const NO_CHANGES = {
  replaced: 0,
  deleted: 0,
  dropped_notes: 0,
  dropped_human_results: 0,
  dropped_answers: 0,
}

/** The appender for `replace_all`. */
export class ReplaceAllAppender implements Appender {
  readonly #transaction: Transaction
  readonly #old: OldEvaluation
  readonly #staged: number
  readonly #appender: ScenarioAppender
  readonly #options: AppendOptions
  /** For each record, in order: its index and line in the upload. */
  readonly #indexes: number[] = []
  readonly #lines: number[] = []

  private constructor(
    transaction: Transaction,
    old: OldEvaluation,
    staged: { key: number; appender: ScenarioAppender },
    options: AppendOptions,
  ) {
    this.#transaction = transaction
    this.#old = old
    this.#staged = staged.key
    this.#appender = staged.appender
    this.#options = options
  }

  /** The caller must have locked the evaluation. */
  static async begin(
    transaction: Transaction,
    evaluation: number,
    options: AppendOptions,
  ): Promise<ReplaceAllAppender> {
    const old = await transaction.get<Omit<OldEvaluation, 'key'>>(
      'SELECT id, scenario_count AS count, next_position AS "nextPosition" FROM evaluation WHERE key = ?',
      evaluation,
    )
    if (!old) throw new Error(`The evaluation with the key ${evaluation} does not exist`)
    // An evaluation without scenarios is not staged: all records are added.
    const key = old.count === 0 ? evaluation : await stageEvaluation(transaction, evaluation)
    const appender = await ScenarioAppender.begin(transaction, key, {
      ...options,
      onConflict: 'error',
      findsMissing: false,
      // No scenario was written before, so the other record is in this upload.
      onRejected: (row) => options.onRejected(row, 'duplicate'),
    })
    return new ReplaceAllAppender(transaction, { ...old, key: evaluation }, { key, appender }, options)
  }

  async add(batch: ScenarioRow[]): Promise<void> {
    if (this.#options.humanEvaluators?.size) {
      for (const { location } of batch) {
        this.#indexes.push(location?.index ?? 0)
        this.#lines.push(location?.line ?? 1)
      }
    }
    await this.#appender.add(batch)
  }

  async finish(): Promise<Appended> {
    const [transaction, old, staged] = [this.#transaction, this.#old, this.#staged]
    if (staged === old.key) return { ...(await this.#appender.finish()), ...NO_CHANGES }
    const { columns, nextPosition, ...added } = await this.#appender.flush()
    const matches = await Matches.find(transaction, staged, old)
    const { addedBytes, ...counts } = await this.#replaceMatched(matches, columns)
    const { replaced, deleted, rejected } = counts
    const accepted = added.accepted - matches.count
    const unchanged = added.unchanged + counts.unchanged
    const isSame = accepted + replaced + deleted === 0 && matches.isInOrder
    if (isSame) await discardStaged(transaction, staged, columns.ordinals, nextPosition)
    else {
      await columns.finish()
      const change = {
        action: 'scenarios.replaced',
        counts: { scenarios: replaced, added: accepted, deleted },
      } as const
      const [count, bytes] = [added.accepted - rejected, added.bytes + addedBytes]
      await adoptStaged(transaction, { key: old.key, staged }, change, { count, bytes, nextPosition })
    }
    const { dropped_notes, dropped_human_results, dropped_answers } = counts
    const dropped = { dropped_notes, dropped_human_results, dropped_answers }
    return { accepted, unchanged, replaced, deleted, ...dropped }
  }

  /** Counts what happens to the old scenarios. */
  async #replaceMatched(matches: Matches, columns: ColumnWriter) {
    const [transaction, old] = [this.#transaction, this.#old]
    const { humanEvaluators = new Set<string>(), onRejected } = this.#options
    const marks = await countMarks(transaction, old.key)
    const humanResults = await countResults(transaction, old.key, humanEvaluators)
    const answers = await countAnswers(transaction, old.key)
    const replacer = new MatchedReplacer(transaction, {
      evaluation: { key: this.#staged, id: old.id },
      oldKey: old.key,
      columns,
      humanEvaluators,
      unmatched: { marks, humanResults, answers },
      onMisaligned: ({ id, position }) => {
        const location = { index: this.#indexes[position] ?? 0, line: this.#lines[position] ?? 1 }
        onRejected({ id, location }, 'misaligned-details')
      },
    })
    for (const batch of matches.batches(COMPARE_BATCH_SIZE)) await replacer.replace(batch)
    const { droppedResults, droppedAnswers, ...counts } = replacer.counts
    return {
      ...counts,
      deleted: old.count - matches.count + counts.rejected,
      dropped_notes: sum(marks),
      dropped_human_results: droppedResults + sum(humanResults),
      dropped_answers: droppedAnswers + sum(answers),
      addedBytes: replacer.addedBytes,
    }
  }
}

function sum(counts: ReadonlyMap<number, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0)
}
