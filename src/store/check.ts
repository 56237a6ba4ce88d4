// Whether a store is sound: its file, its counts, and everything that was derived, computed again from the
// bodies and compared.
import { NO_LIMITS, scan } from '../json/scan.ts'
import { INPUT_COLUMNS, MEASURE_COLUMNS, RESULT_COLUMNS, type ScenarioColumns } from './derived.ts'
import type { Connection, Value } from './dialect/dialect.ts'
import { configDigest } from './revisions.ts'
import { storedRow } from './scenario-rows.ts'
import { getScenarioColumns } from './scenarios.ts'
import type { Store } from './store.ts'

export interface Fault {
  where: string
  what: string
}

export interface Checked {
  evaluations: number
  scenarios: number
  variants: number
  revisions: number
}

type OnChecked = (scenarios: number, ofAll: number) => void

/** Over one state of the store; what is written meanwhile is not looked at. */
export function checkStore(
  store: Store,
  onChecked: OnChecked,
): Promise<{ checked: Checked; faults: Fault[] }> {
  return store.reader.snapshot('long', async (snapshot) => {
    const check = new Check(snapshot)
    for (const what of await store.integrity()) check.fault('store', what)
    await check.evaluations(onChecked)
    await check.variants()
    return { checked: check.checked, faults: check.faults }
  })
}

interface Evaluation {
  key: number
  id: string
  scenario_count: number
  body_bytes: number
}

interface Scenario extends Record<string, Value> {
  position: number
  id: string
  body: string
  extra: string | null
  digest: Uint8Array
  search: string | null
}

interface Variant {
  key: number
  id: string
  revision_count: number
  body_bytes: number
}

/** Few, since each may be megabytes. */
const AT_ONCE = 50

class Check {
  readonly checked: Checked = { evaluations: 0, scenarios: 0, variants: 0, revisions: 0 }
  readonly faults: Fault[] = []
  readonly #snapshot: Connection

  constructor(snapshot: Connection) {
    this.#snapshot = snapshot
  }

  fault(where: string, what: string): void {
    this.faults.push({ where, what })
  }

  async evaluations(onChecked: OnChecked): Promise<void> {
    const all = await this.#snapshot.all<Evaluation>(
      'SELECT key, id, scenario_count, body_bytes FROM evaluation ORDER BY key',
    )
    const total = all.reduce((sum, { scenario_count }) => sum + scenario_count, 0)
    for (const evaluation of all) {
      await this.#evaluation(evaluation, () => onChecked(this.checked.scenarios, total))
      this.checked.evaluations += 1
    }
  }

  async #evaluation(evaluation: Evaluation, onBatch: () => void): Promise<void> {
    const where = `evaluation ${evaluation.id}`
    const names = { input: new Set<string>(), expected: new Set<string>(), score: new Set<string>() }
    let [count, bytes, results, inputs] = [0, 0, 0, 0]
    for await (const scenarios of this.#scenarios(evaluation.key)) {
      const stored = {
        results: await this.#listed(RESULTS, evaluation.key, scenarios),
        inputs: await this.#listed(INPUTS, evaluation.key, scenarios),
      }
      for (const scenario of scenarios) {
        const of = {
          results: stored.results.get(scenario.position) ?? [],
          inputs: stored.inputs.get(scenario.position) ?? [],
        }
        results += of.results.length
        inputs += of.inputs.length
        this.#scenario(evaluation, scenario, of, names)
        bytes += Buffer.byteLength(scenario.body)
      }
      count += scenarios.length
      this.checked.scenarios += scenarios.length
      onBatch()
    }
    this.#equal(where, 'scenario_count', evaluation.scenario_count, count)
    this.#equal(where, 'body_bytes', evaluation.body_bytes, bytes)
    const expected = { input: [...names.input], expected: [...names.expected], score: [...names.score] }
    this.#equal(where, 'the columns', await getScenarioColumns(this.#snapshot, evaluation.key), expected)
    const tables = { search: count, measure: count, result: results, input: inputs }
    for (const [table, rows] of Object.entries(tables)) {
      this.#equal(where, `the rows of ${table}`, await this.#count(table, evaluation.key), rows)
    }
  }

  async *#scenarios(evaluation: number): AsyncGenerator<Scenario[]> {
    for (let after = -1; ; ) {
      const scenarios = await this.#snapshot.all<Scenario>(
        `SELECT scenario.position AS position, id, body, extra, digest, search.text AS search,
           ${MEASURE_COLUMNS.join(', ')}
         FROM scenario
         LEFT JOIN search ON search.evaluation = scenario.evaluation AND search.position = scenario.position
         LEFT JOIN measure ON measure.evaluation = scenario.evaluation AND measure.position = scenario.position
         WHERE scenario.evaluation = ? AND scenario.position > ? ORDER BY scenario.position LIMIT ?`,
        evaluation,
        after,
        AT_ONCE,
      )
      if (scenarios.length === 0) return
      yield scenarios
      after = scenarios.at(-1)?.position ?? after
    }
  }

  /** What is kept of these scenarios under a name, by position: the name and the values of each. */
  async #listed(
    list: DerivedList,
    evaluation: number,
    scenarios: Scenario[],
  ): Promise<Map<number, Value[][]>> {
    const { table, kind, columns } = list
    const rows = await this.#snapshot.all<Record<string, Value> & { position: number }>(
      `SELECT listed.position AS position, name, ${columns.map((column) => `listed.${column} AS ${column}`).join(', ')}
       FROM evaluation_column JOIN ${table} AS listed
         ON listed.evaluation = evaluation_column.evaluation AND listed.${list.by} = evaluation_column.ordinal
       WHERE evaluation_column.evaluation = ? AND kind = '${kind}'
         AND listed.evaluation = ? AND listed.position >= ? AND listed.position <= ?`,
      evaluation,
      evaluation,
      scenarios[0]?.position ?? 0,
      scenarios.at(-1)?.position ?? 0,
    )
    const byPosition = Map.groupBy(rows, ({ position }) => position)
    return new Map(
      [...byPosition].map(([position, of]) => [
        position,
        of.map((row) => valuesOf(row, ['name', ...columns])),
      ]),
    )
  }

  #scenario(
    evaluation: Evaluation,
    scenario: Scenario,
    stored: { results: Value[][]; inputs: Value[][] },
    names: Record<keyof ScenarioColumns, Set<string>>,
  ): void {
    const where = `evaluation ${evaluation.id}, scenario ${scenario.id}`
    try {
      const row = storedRow(evaluation.id, scenario.body, scenario.extra)
      this.#equal(where, 'the id', scenario.id, row.id)
      this.#equal(where, 'the body', scenario.body, row.body)
      this.#equal(where, 'the digest', scenario.digest, row.digest)
      this.#equal(where, 'the search text', scenario.search, row.search)
      this.#equal(where, 'the measure', valuesOf(scenario, MEASURE_COLUMNS), row.measure)
      this.#equal(where, 'the results', byName(stored.results), byName(row.results))
      this.#equal(where, 'the inputs', byName(stored.inputs), byName(row.inputs))
      for (const kind of ['input', 'expected', 'score'] as const) {
        for (const name of row.names[kind]) names[kind].add(name)
      }
    } catch (error) {
      this.fault(where, `the body cannot be read: ${(error as Error).message}`)
    }
  }

  async variants(): Promise<void> {
    const variants = await this.#snapshot.all<Variant>(
      'SELECT key, id, revision_count, body_bytes FROM variant ORDER BY key',
    )
    for (const variant of variants) {
      await this.#variant(variant)
      this.checked.variants += 1
    }
  }

  async #variant({ key, id, revision_count, body_bytes }: Variant): Promise<void> {
    const where = `variant ${id}`
    let [count, bytes] = [0, 0]
    for (let after = -1; ; ) {
      const revision = await this.#snapshot.get<{
        revision: number
        body: string
        digest: Uint8Array
        created_at: string
      }>(
        `SELECT revision, body, digest, created_at FROM revision
         WHERE variant = ? AND revision > ? ORDER BY revision LIMIT 1`,
        key,
        after,
      )
      if (!revision) break
      after = revision.revision
      count += 1
      bytes += Buffer.byteLength(revision.body)
      this.#revision(`${where}, revision ${revision.revision}`, revision)
    }
    this.checked.revisions += count
    this.#equal(where, 'revision_count', revision_count, count)
    this.#equal(where, 'body_bytes', body_bytes, bytes)
  }

  #revision(
    where: string,
    {
      revision,
      body,
      digest,
      created_at,
    }: { revision: number; body: string; digest: Uint8Array; created_at: string },
  ): void {
    try {
      const { text, members = new Map<string, string>() } = scan(Buffer.from(body), NO_LIMITS)
      this.#equal(where, 'the body', body, text)
      this.#equal(where, 'the number', members.get('revision'), String(revision))
      this.#equal(where, 'the time', members.get('created_at'), JSON.stringify(created_at))
      this.#equal(where, 'the digest', digest, configDigest(members))
    } catch (error) {
      this.fault(where, `the body cannot be read: ${(error as Error).message}`)
    }
  }

  async #count(table: string, evaluation: number): Promise<number> {
    const row = await this.#snapshot.get<{ count: number }>(
      `SELECT count(*) AS count FROM ${table} WHERE evaluation = ?`,
      evaluation,
    )
    return row?.count ?? 0
  }

  #equal(where: string, what: string, stored: unknown, expected: unknown): void {
    if (stored === expected || JSON.stringify(plain(stored)) === JSON.stringify(plain(expected))) return
    this.fault(where, `${what} is not what the bodies give`)
  }
}

/** Of a scenario, under the names of evaluators or inputs. */
interface DerivedList {
  table: 'result' | 'input'
  by: 'evaluator' | 'input'
  kind: keyof ScenarioColumns
  columns: string[]
}

const RESULTS: DerivedList = { table: 'result', by: 'evaluator', kind: 'score', columns: RESULT_COLUMNS }
const INPUTS: DerivedList = { table: 'input', by: 'input', kind: 'input', columns: INPUT_COLUMNS }

function byName(lists: Value[][]): Value[][] {
  return lists.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
}

function valuesOf(row: Record<string, Value>, columns: string[]): Value[] {
  return columns.map((column) => row[column] ?? null)
}

/** Bytes in a form that can be compared, at any depth. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return Array.isArray(value) ? value.map(plain) : value
}
