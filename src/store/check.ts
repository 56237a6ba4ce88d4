// Checks a store for corruption: the engine's own check, the counts, and all derived data, which is recomputed from
// the stored bodies and compared.
import { NO_LIMITS, scan } from '../json/scan.ts'
import { DELETED_PROJECT } from './access/projects.ts'
import type { Connection, Value } from './dialect/dialect.ts'
import { getDamage } from './dialect/errors.ts'
import { parseDeclaredEvaluators } from './evaluations/evaluators.ts'
import { ScoreStatistics } from './evaluations/score-statistics.ts'
import { readStoredScores, toStoredScores } from './evaluations/stored-scores.ts'
import { getColumnOrdinals } from './scenarios/columns.ts'
import {
  ANSWER_COLUMNS,
  MEASURE_COLUMNS,
  NAMED_TABLES,
  REPETITION_COLUMNS,
  type ScenarioColumns,
} from './scenarios/derived-columns.ts'
import { scenarioTables } from './scenarios/derived-rows.ts'
import { EVALUATION_TABLES } from './scenarios/removal.ts'
import { rowFromStored, rowScores } from './scenarios/row.ts'
import { readScenarioBatches } from './scenarios/scenarios.ts'
import { storedSearchText } from './search/search-text.ts'
import type { Store } from './store.ts'
import { computeConfigDigest } from './variants/revisions.ts'

const DERIVED_COLUMNS = [...MEASURE_COLUMNS, ...REPETITION_COLUMNS, ...ANSWER_COLUMNS]

export interface Fault {
  where: string
  what: string
}

export interface CheckedCounts {
  evaluations: number
  scenarios: number
  variants: number
  revisions: number
}

type OnProgress = (checkedScenarios: number, totalScenarios: number) => void

/** Checks one snapshot of the store. Later writes are not included. */
export function checkStore(
  store: Store,
  onProgress: OnProgress,
): Promise<{ checked: CheckedCounts; faults: Fault[] }> {
  return store.reader.snapshot('long', async (snapshot) => {
    const check = new StoreCheck(snapshot)
    await check.continueOnDamage('store', async () => {
      for (const what of await store.checkIntegrity()) check.addFault('store', what)
    })
    await check.continueOnDamage('evaluations', () => check.checkEvaluations(onProgress))
    await check.continueOnDamage('variants', () => check.checkVariants())
    await check.continueOnDamage('store', () => check.checkParents())
    return { checked: check.checked, faults: check.faults }
  })
}

interface Evaluation {
  key: number
  id: string
  evaluators: string | null
  scenario_count: number
  body_bytes: number
}

interface Scenario extends Record<string, Value> {
  position: number
  id: string
  body: string
  extra: string | null
  digest: Uint8Array
  /** Only on PostgreSQL. */
  search?: string
}

type Kind = keyof ScenarioColumns

/** The number of rows that have a column, by kind and name. */
type RowCounts = Record<Kind, Map<string, number>>

type NamedRow = Record<string, Value> & { position: number }
type NamedRows = Record<keyof typeof NAMED_TABLES, NamedRow[]>

interface Revision {
  revision: number
  body: string
  digest: Uint8Array
  created_at: string
}

interface Variant {
  key: number
  id: string
  revision_count: number
  body_bytes: number
  /** The highest revision number that was ever used for the id. */
  highest_number: number | null
}

type Parent = 'evaluation' | 'variant'

/** The tables whose rows belong to an evaluation or variant, and which of the two. */
const childTables = (connection: Connection): [table: string, parent: Parent][] => [
  ...[...scenarioTables(connection), ...EVALUATION_TABLES].map((table): [string, Parent] => [
    table,
    'evaluation',
  ]),
  ['revision', 'variant'],
]

/** The next evaluations or variants that have rows in a table, by index, and whether they exist. */
const READ_PARENTS = (table: string, parent: Parent) => `WITH RECURSIVE keys (parent, number) AS (
    SELECT min(${parent}), 1 FROM ${table} WHERE ${parent} > ?
    UNION ALL
    SELECT (SELECT min(${parent}) FROM ${table} WHERE ${table}.${parent} > keys.parent), number + 1
    FROM keys WHERE parent IS NOT NULL AND number < 1000
  )
  SELECT keys.parent AS parent, ${parent}.key AS key
  FROM keys LEFT JOIN ${parent} ON ${parent}.key = keys.parent
  WHERE keys.parent IS NOT NULL ORDER BY keys.parent`

/**
 * The rows of a derived table in a range of positions. With CROSS JOIN, SQLite finds them by index for each name. Otherwise it
 * would read all rows of the evaluation.
 */
export function READ_NAMED(list: keyof typeof NAMED_TABLES): string {
  const { table, ordinal, kind, columns } = NAMED_TABLES[list]
  const values = columns.map((column) => `derived.${column} AS ${column}`).join(', ')
  return `SELECT derived.position AS position, name, ${values}
    FROM evaluation_column CROSS JOIN ${table} AS derived
    WHERE evaluation_column.evaluation = ? AND kind = '${kind}'
      AND derived.evaluation = ? AND derived.${ordinal} = evaluation_column.ordinal
      AND derived.position >= ? AND derived.position <= ?`
}

class StoreCheck {
  readonly checked: CheckedCounts = { evaluations: 0, scenarios: 0, variants: 0, revisions: 0 }
  readonly faults: Fault[] = []
  readonly #snapshot: Connection

  constructor(snapshot: Connection) {
    this.#snapshot = snapshot
  }

  addFault(where: string, what: string): void {
    this.faults.push({ where, what })
  }

  /** Reports that the database cannot read a part of the store, and continues with the next part. */
  async continueOnDamage(where: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const damage = getDamage(error)
      if (damage === undefined) throw error
      this.addFault(where, `cannot be read: ${damage}`)
    }
  }

  async checkEvaluations(onProgress: OnProgress): Promise<void> {
    const evaluations = await this.#snapshot.all<Evaluation>(
      'SELECT key, id, evaluators, scenario_count, body_bytes FROM evaluation WHERE project <> ? ORDER BY key',
      DELETED_PROJECT,
    )
    const total = evaluations.reduce((sum, { scenario_count }) => sum + scenario_count, 0)
    for (const evaluation of evaluations) {
      await this.continueOnDamage(`evaluation ${evaluation.id}`, () =>
        this.#checkEvaluation(evaluation, () => onProgress(this.checked.scenarios, total)),
      )
      this.checked.evaluations += 1
    }
  }

  async #checkEvaluation(evaluation: Evaluation, onBatch: () => void): Promise<void> {
    const where = `evaluation ${evaluation.id}`
    const rowCounts: RowCounts = { input: new Map(), expected: new Map(), score: new Map() }
    const counts = { measure: 0, repetition: 0, answer: 0, result: 0, input: 0 }
    const { storesSearchText } = this.#snapshot.sql
    const [searchTables, searchText] = storesSearchText ? [['search'], ['search.text AS search']] : [[], []]
    const scores = new ScoreStatistics(parseDeclaredEvaluators(evaluation.evaluators))
    let bytes = 0
    for await (const scenarios of readScenarioBatches<Scenario>(
      this.#snapshot,
      evaluation.key,
      ['id, body, extra, digest', ...searchText, ...DERIVED_COLUMNS].join(', '),
      [...searchTables, 'measure', 'repetition', 'answer']
        .map((table) => `LEFT JOIN ${table} USING (evaluation, position)`)
        .join(' '),
    )) {
      const named: NamedRows = {
        results: await this.#readNamed('results', evaluation.key, scenarios),
        inputs: await this.#readNamed('inputs', evaluation.key, scenarios),
      }
      counts.result += named.results.length
      counts.input += named.inputs.length
      for (const scenario of scenarios) {
        this.#checkScenario(evaluation, scenario, named, { rowCounts, scores })
        bytes += Buffer.byteLength(scenario.body)
        if (storedValues(scenario, REPETITION_COLUMNS).length > 0) counts.repetition += 1
        if (storedValues(scenario, ANSWER_COLUMNS).length > 0) counts.answer += 1
      }
      counts.measure += scenarios.length
      this.checked.scenarios += scenarios.length
      onBatch()
    }
    this.#compare(where, 'scenario_count', evaluation.scenario_count, counts.measure)
    this.#compare(where, 'body_bytes', evaluation.body_bytes, bytes)
    await this.#checkColumns(where, evaluation.key, rowCounts)
    await this.#checkScores(where, evaluation.key, scores)
    this.#compare(
      where,
      'number of generated ids without a scenario',
      await this.#countStrayIds(evaluation.key),
      0,
    )
    const searchTexts = storesSearchText ? { search: counts.measure } : {}
    for (const [table, rows] of Object.entries({ ...counts, ...searchTexts })) {
      this.#compare(where, `number of rows in ${table}`, await this.#countRows(table, evaluation.key), rows)
    }
  }

  /** Finds rows without an evaluation or variant: their tables have no foreign keys. */
  async checkParents(): Promise<void> {
    for (const [table, noun] of childTables(this.#snapshot)) {
      for (let after = -1; ; ) {
        const rows = await this.#snapshot.all<{ parent: number; key: number | null }>(
          READ_PARENTS(table, noun),
          after,
        )
        if (rows.length === 0) break
        for (const { parent, key } of rows)
          if (key === null) this.addFault('store', `rows of ${table} have no ${noun} (key ${parent})`)
        after = rows.at(-1)?.parent ?? after
      }
    }
  }

  async #checkColumns(where: string, evaluation: number, rowCounts: RowCounts): Promise<void> {
    const columns = await this.#snapshot.all<{ kind: Kind; name: string; row_count: number }>(
      'SELECT kind, name, row_count FROM evaluation_column WHERE evaluation = ?',
      evaluation,
    )
    const stored = columns.map(({ kind, name, row_count }) => JSON.stringify([kind, name, row_count]))
    const expected = Object.entries(rowCounts).flatMap(([kind, counts]) =>
      [...counts].map(([name, count]) => JSON.stringify([kind, name, count])),
    )
    this.#compare(where, 'columns', stored.sort(), expected.sort())
  }

  async #checkScores(where: string, evaluation: number, expected: ScoreStatistics): Promise<void> {
    const stored = await readStoredScores(this.#snapshot, evaluation)
    expected.orderEvaluators((await getColumnOrdinals(this.#snapshot, evaluation)).score.keys())
    this.#compare(where, 'scores', stored, toStoredScores(expected))
  }

  /** The rows of a derived table for these scenarios, with their names. */
  #readNamed(
    list: keyof typeof NAMED_TABLES,
    evaluation: number,
    scenarios: Scenario[],
  ): Promise<NamedRow[]> {
    return this.#snapshot.all<NamedRow>(
      READ_NAMED(list),
      evaluation,
      evaluation,
      scenarios[0]?.position ?? 0,
      scenarios.at(-1)?.position ?? 0,
    )
  }

  /** Adds the scenario to the totals of its evaluation. */
  #checkScenario(
    evaluation: Evaluation,
    scenario: Scenario,
    named: NamedRows,
    { rowCounts, scores }: { rowCounts: RowCounts; scores: ScoreStatistics },
  ): void {
    const where = `evaluation ${evaluation.id}, scenario ${scenario.id}`
    try {
      const row = rowFromStored(evaluation.id, scenario.body, scenario.extra)
      this.#compare(where, 'id', scenario.id, row.id)
      this.#compare(where, 'body', scenario.body, row.body)
      this.#compare(where, 'digest', scenario.digest, row.digest)
      if (this.#snapshot.sql.storesSearchText)
        this.#compare(where, 'search text', scenario.search, storedSearchText(scenario.body))
      this.#compare(where, 'measure', selectValues(scenario, MEASURE_COLUMNS), row.measure)
      this.#compare(where, 'repetition', storedValues(scenario, REPETITION_COLUMNS), row.repetition)
      this.#compare(where, 'answers', storedValues(scenario, ANSWER_COLUMNS), row.answer)
      for (const list of ['results', 'inputs'] as const) {
        const storedRows = named[list].filter(({ position }) => position === scenario.position)
        const storedValues = storedRows.map((stored) =>
          selectValues(stored, ['name', ...NAMED_TABLES[list].columns]),
        )
        this.#compare(where, list, sortByName(storedValues), sortByName(row[list]))
      }
      for (const kind of ['input', 'expected', 'score'] as const)
        for (const name of new Set(row.names[kind]))
          rowCounts[kind].set(name, (rowCounts[kind].get(name) ?? 0) + 1)
      scores.addRow(rowScores(row))
    } catch (error) {
      this.addFault(where, `the body cannot be read: ${(error as Error).message}`)
    }
  }

  async checkVariants(): Promise<void> {
    const variants = await this.#snapshot.all<Variant>(
      `SELECT key, id, revision_count, body_bytes, (SELECT number FROM revision_number
         WHERE revision_number.project = variant.project AND variant_id = variant.id) AS highest_number
       FROM variant ORDER BY key`,
    )
    for (const variant of variants) {
      await this.continueOnDamage(`variant ${variant.id}`, () => this.#checkVariant(variant))
      this.checked.variants += 1
    }
  }

  async #checkVariant({ key, id, ...stored }: Variant): Promise<void> {
    const where = `variant ${id}`
    let [count, bytes, after] = [0, 0, -1]
    for (;;) {
      const revision = await this.#snapshot.get<Revision>(
        `SELECT revision, body, digest, created_at FROM revision
         WHERE variant = ? AND revision > ? ORDER BY revision LIMIT 1`,
        key,
        after,
      )
      if (!revision) break
      after = revision.revision
      count += 1
      bytes += Buffer.byteLength(revision.body)
      this.#checkRevision(`${where}, revision ${revision.revision}`, revision)
    }
    this.checked.revisions += count
    this.#compare(where, 'revision_count', stored.revision_count, count)
    this.#compare(where, 'body_bytes', stored.body_bytes, bytes)
    if (count > 0 && (stored.highest_number ?? 0) < after)
      this.addFault(where, `the number ${after} is used, but not recorded as used`)
  }

  #checkRevision(where: string, { revision, body, digest, created_at }: Revision): void {
    try {
      const { text, members = new Map<string, string>() } = scan(Buffer.from(body), NO_LIMITS)
      this.#compare(where, 'body', body, text)
      this.#compare(where, 'revision number', members.get('revision'), String(revision))
      this.#compare(where, 'created_at', members.get('created_at'), JSON.stringify(created_at))
      this.#compare(where, 'digest', digest, computeConfigDigest(members))
    } catch (error) {
      this.addFault(where, `the body cannot be read: ${(error as Error).message}`)
    }
  }

  async #countStrayIds(evaluation: number): Promise<number> {
    const row = await this.#snapshot.get<{ count: number }>(
      `SELECT count(*) AS count FROM generated_id LEFT JOIN scenario
         ON scenario.evaluation = generated_id.evaluation AND scenario.position = generated_id.position
       WHERE generated_id.evaluation = ? AND scenario.position IS NULL`,
      evaluation,
    )
    return row?.count ?? 0
  }

  async #countRows(table: string, evaluation: number): Promise<number> {
    const row = await this.#snapshot.get<{ count: number }>(
      `SELECT count(*) AS count FROM ${table} WHERE evaluation = ?`,
      evaluation,
    )
    return row?.count ?? 0
  }

  #compare(where: string, what: string, stored: unknown, expected: unknown): void {
    if (
      stored === expected ||
      JSON.stringify(toComparable(stored)) === JSON.stringify(toComparable(expected))
    )
      return
    this.addFault(where, `${what}: the stored value differs from the value computed from the bodies`)
  }
}

function sortByName(rows: Value[][]): Value[][] {
  return rows.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
}

/** Like `repetition` and `answer` of a row: empty if there is no entry. */
function storedValues(scenario: Scenario, columns: string[]): Value[] {
  const values = selectValues(scenario, columns)
  return values.every((value) => value === null) ? [] : values
}

function selectValues(row: Record<string, Value>, columns: string[]): Value[] {
  return columns.map((column) => row[column] ?? null)
}

/** Replaces byte arrays, at any depth, by hexadecimal text. */
function toComparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return Array.isArray(value) ? value.map(toComparable) : value
}
