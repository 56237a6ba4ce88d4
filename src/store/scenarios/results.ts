// Adds results to stored scenarios, and replaces results of the same evaluators.
import { Problem } from '../../errors.ts'
import { splitMembers } from '../../json/member-texts.ts'
import type { AddedResults } from '../../schema/scenarios.ts'
import { ContentErrors } from '../../schema/validation/content-errors.ts'
import type { Transaction, Value } from '../dialect/dialect.ts'
import { insertStatement } from '../dialect/insert.ts'
import { inLists } from '../reads/in-list.ts'
import { type ReplacedTexts, replaceTexts } from './change.ts'
import { ColumnWriter } from './columns.ts'
import type { ScenarioWithId } from './corrections.ts'
import { RESULT_COLUMNS } from './derived-columns.ts'
import type { ResultRow } from './result-rows.ts'
import { joinResults, type ResultText, scoreColumn, splitResults, withResults } from './result-texts.ts'
import { resultScore, storedResultScore } from './row.ts'
import { getNextPosition, recordContentChange, type StoredScenario } from './scenarios.ts'

/** Scenarios per batch. Small, because one body can be several megabytes. */
const BATCH_SIZE = 50

export const FIND_SCENARIO_TEXTS = (placeholders: string) =>
  `SELECT id, position, body, extra FROM scenario WHERE evaluation = ? AND id IN (${placeholders})`

const UPSERT_RESULT = `${insertStatement('result', ['evaluation', 'position', 'evaluator', ...RESULT_COLUMNS])}
  ON CONFLICT (evaluation, evaluator, position) DO UPDATE
  SET ${RESULT_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`

export interface AddOptions {
  /** The maximum size of a scenario with its extra data. */
  maxRecordBytes: number
}

/** Adds results to existing scenarios, or replaces results of the same evaluators. All are stored or none. */
export async function addResults(
  transaction: Transaction,
  evaluation: number,
  batches: AsyncIterable<ResultRow[]> | Iterable<ResultRow[]>,
  options: AddOptions,
): Promise<AddedResults> {
  const adder = await ResultAdder.begin(transaction, evaluation, options)
  for await (const batch of batches) await adder.add(batch)
  return adder.finish()
}

class ResultAdder {
  readonly #transaction: Transaction
  readonly #evaluation: number
  readonly #columns: ColumnWriter
  readonly #options: AddOptions
  readonly #counts: AddedResults = { added: 0, replaced: 0, unchanged: 0 }
  readonly #errors = new ContentErrors()
  /** By position: whether the scenario has changed. */
  readonly #hasChanged: Uint8Array
  #changedScenarios = 0
  #addedBytes = 0

  private constructor(
    transaction: Transaction,
    evaluation: number,
    columns: ColumnWriter,
    positionCount: number,
    options: AddOptions,
  ) {
    this.#transaction = transaction
    this.#evaluation = evaluation
    this.#columns = columns
    this.#hasChanged = new Uint8Array(positionCount)
    this.#options = options
  }

  static async begin(
    transaction: Transaction,
    evaluation: number,
    options: AddOptions,
  ): Promise<ResultAdder> {
    const columns = await ColumnWriter.begin(transaction, evaluation)
    const positionCount = await getNextPosition(transaction, evaluation)
    return new ResultAdder(transaction, evaluation, columns, positionCount, options)
  }

  async add(batch: ResultRow[]): Promise<void> {
    this.#columns.addColumns(batch.map(({ evaluator }) => scoreColumn(evaluator)))
    const rowsById = Map.groupBy(batch, ({ scenario_id }) => scenario_id)
    for (const { items, placeholders, values } of inLists([...rowsById.keys()], BATCH_SIZE)) {
      const statement = FIND_SCENARIO_TEXTS(placeholders)
      const scenarios = await this.#transaction.all<ScenarioWithId>(statement, this.#evaluation, ...values)
      const scenariosById = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
      const changes = items.flatMap(
        (id) => this.#applyResults(scenariosById.get(id), rowsById.get(id) ?? []) ?? [],
      )
      // After an error, the remaining results are only checked.
      if (this.#errors.count > 0 || changes.length === 0) continue
      // Before the next read: a scenario can have results in the next batch too.
      await this.#write(changes)
    }
  }

  /** Returns the changed scenario; undefined if it does not change. Adds the reasons why it cannot be changed to the errors. */
  #applyResults(stored: ScenarioWithId | undefined, rows: ResultRow[]): ChangedScenario | undefined {
    if (!stored) {
      for (const row of rows)
        this.#addError(row, `The evaluation has no scenario with the id '${row.scenario_id}'.`)
      return undefined
    }
    const members = splitMembers(stored.body)
    const results = splitResults(members.get('results') ?? '[]', stored.extra)
    if (!results) {
      for (const row of rows)
        this.#addError(
          row,
          `The scenario '${stored.id}' has a member extra.results that is not a list with the details of each result, so reasons cannot be stored. Replace its extra data first.`,
        )
      return undefined
    }
    // Scores depend on the first result of each evaluator.
    const storedTexts = new Map(results.toReversed().map(({ evaluator, text }) => [evaluator, text]))
    const changedRows = new Map<string, ResultRow>()
    const addedEvaluators: string[] = []
    for (const row of rows) {
      const outcome = applyResult(results, row)
      this.#counts[outcome] += 1
      if (outcome !== 'unchanged') changedRows.set(row.evaluator, row)
      if (outcome === 'added') addedEvaluators.push(row.evaluator)
    }
    if (changedRows.size === 0) return undefined
    const texts = changeTexts(stored, members, results)
    this.#checkSize(texts, rows)
    const replacedTexts = [...storedTexts].filter(([evaluator]) => changedRows.has(evaluator))
    return { texts, stored, results: [...changedRows.values()], addedEvaluators, replacedTexts }
  }

  #checkSize({ id, body, extra }: ReplacedTexts, rows: ResultRow[]): void {
    const { maxRecordBytes } = this.#options
    if (Buffer.byteLength(body) + Buffer.byteLength(extra ?? '') <= maxRecordBytes) return
    const { index, line } = rows.at(-1)?.location ?? { index: 0, line: 0 }
    throw new Problem(
      'content-too-large',
      `With this result (record ${index + 1}, line ${line}), the scenario '${id}' would be larger than ${maxRecordBytes} bytes. Nothing was stored.`,
    )
  }

  #addError({ location }: ResultRow, detail: string): void {
    this.#errors.add([{ pointer: '/scenario_id', detail }], `/${location.index}`, location.line)
  }

  async #write(changes: ChangedScenario[]): Promise<void> {
    for (const { texts, stored } of changes) {
      this.#addedBytes += Buffer.byteLength(texts.body) - Buffer.byteLength(stored.body)
      this.#changedScenarios += 1 - (this.#hasChanged[stored.position] ?? 0)
      this.#hasChanged[stored.position] = 1
    }
    const { scores } = this.#columns
    for (const { results, replacedTexts } of changes) {
      for (const [evaluator, text] of replacedTexts) scores.removeResult(storedResultScore(evaluator, text))
      for (const { evaluator, values } of results) scores.addResult(resultScore(evaluator, values))
    }
    this.#columns.countRows(
      changes.flatMap(({ addedEvaluators }) => addedEvaluators.map(scoreColumn)),
      1,
    )
    const rows = changes.flatMap(({ stored: { position }, results }) =>
      results.map(({ evaluator, values }): Value[] => [
        this.#evaluation,
        position,
        this.#columns.ordinals.score.get(evaluator) ?? null,
        ...values,
      ]),
    )
    await Promise.all([
      replaceTexts(
        this.#transaction,
        this.#evaluation,
        changes.map(({ texts }) => texts),
      ),
      this.#transaction.runMany([UPSERT_RESULT, rows]),
    ])
  }

  /** Gives the evaluation a new version if any result was added or replaced. */
  async finish(): Promise<AddedResults> {
    if (this.#errors.count > 0) throw this.#errors.toProblem()
    const { added, replaced } = this.#counts
    if (added + replaced > 0) {
      await this.#columns.finish()
      const counts = { results: added + replaced, scenarios: this.#changedScenarios }
      const change = { action: 'results.added', counts } as const
      await recordContentChange(this.#transaction, this.#evaluation, change, { bytes: this.#addedBytes })
    }
    return this.#counts
  }
}

interface ChangedScenario {
  texts: ReplacedTexts
  stored: StoredScenario
  /** The last result of each evaluator. */
  results: ResultRow[]
  /** The evaluators that the scenario did not have. */
  addedEvaluators: string[]
  /** By evaluator: the texts of results that are replaced. */
  replacedTexts: [evaluator: string, text: string][]
}

/** Changes the list `results`. */
function applyResult(results: ResultText[], row: ResultRow): keyof AddedResults {
  const { evaluator, text, details } = row
  const indexes = results.flatMap((result, index) => (result.evaluator === evaluator ? [index] : []))
  const [index] = indexes
  if (index === undefined) {
    results.push({ evaluator, text, details })
    return 'added'
  }
  const stored = results[index] as ResultText
  if (indexes.length === 1 && hasSameContent(stored, row)) return 'unchanged'
  results[index] = { evaluator, text, details }
  for (const further of indexes.slice(1).reverse()) results.splice(further, 1)
  return 'replaced'
}

/** The spelling of the evaluator's name and the order of the members are ignored. */
function hasSameContent(stored: ResultText, row: ResultRow): boolean {
  const resultOf = (text: string) => splitMembers(text).get('result')
  return (
    stored.details === row.details &&
    (stored.text === row.text || resultOf(stored.text) === resultOf(row.text))
  )
}

function changeTexts(
  { id, position, extra: storedExtra }: ScenarioWithId,
  members: ReadonlyMap<string, string>,
  resultTexts: ResultText[],
): ReplacedTexts {
  const { results, extra } = joinResults(resultTexts, storedExtra)
  return { id, position, extra, ...withResults(members, results, extra) }
}
