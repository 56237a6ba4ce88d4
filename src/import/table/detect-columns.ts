// Detects the roles of table columns from their names, values and positions.
import type { ColumnRole } from '../../schema/imports.ts'
import { isMissing } from './cells.ts'
import { meaningOf, type NameMeaning, splitWords, UNORDERED_RANK } from './column-names.ts'
import { type Column, type ColumnChoice, createColumn, explicitRole, isAssayExport } from './columns.ts'
import { areScores, detectCommas, detectScoreType, fitRole, hasMixedPercentages } from './fit-role.ts'
import { findMembers, type Members } from './members.ts'
import { ColumnSample, type TableSample } from './sample.ts'

export interface DetectedColumns {
  /** All columns, in order. */
  columns: Column[]
  /** Names of columns that are equally likely to be the output. None of them has the role. */
  possibleOutputs: string[]
  /** The preference of the name from which the output was detected. Undefined for an explicit name or an option. */
  outputRank: number | undefined
  /** Columns that would contain ids, but whose values repeat. */
  repeatedIds: string[]
  /** The models, if the table has columns of several. */
  members?: Members
  /** Columns with scores or measurements that name none of the models. */
  unassigned: string[]
}

const MEASUREMENTS: ReadonlySet<ColumnRole> = new Set(['score', 'cost', 'latency', 'error'])

/** Roles that only one column can have. */
const UNIQUE_ROLES = ['id', 'cost', 'latency', 'error', 'note'] as const
type UniqueRole = (typeof UNIQUE_ROLES)[number] | 'repetition' | 'provider'

/** Decides the roles of columns that no option and no preset decides. */
export function detectColumns(sample: TableSample, decided: ReadonlyMap<string, Column>): DetectedColumns {
  const members = findMembers(sample, decided)
  return members ? detectMembers(sample, decided, members) : new ColumnDetector(sample, decided).detect()
}

/** Roles that mean nothing if it is not known which model they belong to. */
const MEMBER_ROLES: ReadonlySet<ColumnRole> = new Set([
  'output',
  'score',
  'reason',
  'cost',
  'latency',
  'error',
])

/** Decides the columns of each model as if the table contained no other one. */
function detectMembers(
  sample: TableSample,
  decided: ReadonlyMap<string, Column>,
  members: Members,
): DetectedColumns {
  const columns = new Map<string, Column>()
  const unassigned: string[] = []
  const repeatedIds = new Set<string>()
  const { chosen, providers } = members
  for (const provider of chosen === undefined ? providers : [chosen]) {
    const own = new Map<string, string>()
    const ownSamples: [string, ColumnSample][] = []
    const ownDecided = new Map<string, Column>()
    for (const [name, columnSample] of sample.columns) {
      const member = members.columns.get(name)
      if (member && member.provider !== provider) continue
      const ownName = member?.rest ?? name
      own.set(ownName, name)
      ownSamples.push([ownName, columnSample])
      const shared = columns.get(name)
      // The first model has decided about it.
      if (shared && isUnassigned(shared)) continue
      const column = decided.get(name) ?? shared
      const key = column?.key === name ? ownName : (column?.key ?? null)
      if (column) ownDecided.set(ownName, { ...column, name: ownName, key })
    }
    const ownTable = { ...sample, columns: new Map(ownSamples), providers: new Map() }
    const detected = new ColumnDetector(ownTable, ownDecided).detect()
    for (const name of detected.repeatedIds) repeatedIds.add(own.get(name) as string)
    for (const column of detected.columns) {
      const name = own.get(column.name) as string
      if (!members.columns.has(name)) {
        if (!columns.has(name)) columns.set(name, column)
      } else if (column.origin !== 'option' && meaningOf(column.name)?.role === 'provider')
        // The name of the model in a row says nothing more.
        columns.set(name, createColumn(name, { role: 'extra', provider }, 'name'))
      else columns.set(name, { ...column, name, provider: chosen === undefined ? provider : null })
    }
  }
  for (const name of sample.columns.keys()) {
    const column = columns.get(name)
    if (!column) columns.set(name, createColumn(name, { role: 'extra' }, 'default'))
    else if (chosen === undefined && isUnassigned(column)) {
      columns.set(name, createColumn(name, { role: 'extra' }, 'default'))
      unassigned.push(name)
    }
  }
  return {
    columns: Array.from(sample.columns.keys(), (name) => columns.get(name) as Column),
    possibleOutputs: [],
    outputRank: UNORDERED_RANK,
    repeatedIds: [...repeatedIds],
    members,
    unassigned,
  }
}

function isUnassigned({ provider, origin, role }: Column): boolean {
  return provider === null && origin !== 'option' && origin !== 'preset' && MEMBER_ROLES.has(role)
}

class ColumnDetector {
  readonly #sample: TableSample
  readonly #names: string[]
  readonly #columns: Map<string, Column>
  readonly #meanings = new Map<string, NameMeaning>()
  readonly #isAssayExport: boolean
  /** Tables with names such as `input.question` follow the convention: other columns are inputs. */
  readonly #hasPrefixes: boolean
  readonly #repeatedIds: string[] = []
  readonly #roles: Set<ColumnRole>
  readonly #indexes: ReadonlyMap<string, number>
  /** Where the output is. Undefined if it must be searched. */
  #outputIndex: number | undefined
  #possibleOutputs: string[] = []
  #outputRank: number | undefined

  constructor(sample: TableSample, decided: ReadonlyMap<string, Column>) {
    this.#sample = sample
    this.#names = [...sample.columns.keys()]
    this.#columns = new Map(decided)
    this.#roles = new Set([...decided.values()].map(({ role }) => role))
    this.#indexes = new Map(this.#names.map((name, index) => [name, index]))
    this.#isAssayExport = isAssayExport(this.#names)
    this.#hasPrefixes =
      this.#isAssayExport || this.#names.some((name) => explicitRole(name) && name.includes('.'))
    for (const name of this.#openNames) {
      const meaning = meaningOf(name)
      if (meaning) this.#meanings.set(name, meaning)
    }
  }

  detect(): DetectedColumns {
    // First, because they decide whether ids can repeat.
    for (const role of ['repetition', 'provider'] as const) this.#decideUnique(role)
    this.#decideExplicit()
    this.#decideOutput()
    for (const role of UNIQUE_ROLES) this.#decideUnique(role)
    for (const name of this.#openNames) this.#decideByMeaning(name)
    for (const name of this.#openNames) this.#decideByValues(name)
    this.#decideReasons()
    const firstMeasurement = this.#findMeasurement()
    for (const name of this.#openNames) this.#decideByPosition(name, firstMeasurement)
    return {
      columns: this.#names.map((name) => this.#withType(this.#columns.get(name) as Column)),
      possibleOutputs: this.#possibleOutputs,
      outputRank: this.#outputRank,
      repeatedIds: this.#repeatedIds,
      unassigned: [],
    }
  }

  /** Columns without a role so far. */
  get #openNames(): string[] {
    return this.#names.filter((name) => !this.#columns.has(name))
  }

  #set(name: string, choice: ColumnChoice, origin: Column['origin']): void {
    this.#columns.set(name, createColumn(name, choice, origin))
    this.#roles.add(choice.role)
    if (choice.role === 'output') this.#outputIndex = undefined
  }

  #statistics(name: string): ColumnSample {
    return this.#sample.columns.get(name) ?? new ColumnSample()
  }

  #hasRole(role: Column['role']): boolean {
    return this.#roles.has(role)
  }

  /** The role that the name suggests, if the values fit. */
  #fit(name: string, meaning = this.#meanings.get(name)): ColumnChoice | undefined {
    return (
      meaning &&
      fitRole(meaning, this.#statistics(name), {
        name,
        isAfterOutput: () => this.#isAfterOutput(name),
        hasUniqueValues: () => this.#hasUniqueIds(name),
        provider: this.#sample.providers.get(name),
      })
    )
  }

  /** Ids can repeat if each occurs once per repetition and model. */
  #hasUniqueIds(name: string): boolean {
    const ids = this.#statistics(name)
    const others = [...this.#columns.values()].filter(
      ({ role }) => role === 'repetition' || role === 'provider',
    )
    const otherIds = others.map((column) => this.#statistics(column.name))
    return !ids.hasDuplicates || (others.length > 0 && !ids.hasDuplicatesWith(otherIds))
  }

  #decideExplicit(): void {
    for (const name of this.#openNames) {
      const role = explicitRole(name)
      if (role === 'id' && !this.#hasPrefixes && !this.#hasUniqueIds(name)) this.#repeatedIds.push(name)
      else if (role === 'error' && !this.#fit(name, { role, rank: 0 })) continue
      else if (role) this.#set(name, { role }, 'name')
    }
    for (const name of this.#repeatedIds) this.#set(name, { role: 'input' }, 'values')
  }

  #decideOutput(): void {
    const outputs = this.#openNames.filter((name) => this.#meanings.get(name)?.role === 'output')
    // What actually happened, as opposed to what was predicted.
    const isPredicted = outputs.some((name) =>
      /^(predicted|generated|model)\b/.test(splitWords(name).join(' ')),
    )
    const actual = isPredicted ? outputs.find((name) => splitWords(name)[0] === 'actual') : undefined
    if (actual !== undefined && !this.#hasExpected) this.#set(actual, { role: 'expected' }, 'name')
    const candidates = outputs
      .filter((name) => name !== actual || !this.#columns.has(name))
      .map((name) => ({ name, rank: this.#meanings.get(name)?.rank ?? 0 }))
      .filter(({ name }) => this.#fit(name))
      .toSorted((a, b) => a.rank - b.rank)
    const [best] = candidates
    if (!best || this.#hasRole('output')) return
    const equal = candidates.filter(({ rank }) => rank === best.rank).map(({ name }) => name)
    if (equal.length > 1 && best.rank >= UNORDERED_RANK) {
      this.#possibleOutputs = equal
      this.#outputIndex = undefined
    } else {
      this.#set(best.name, { role: 'output' }, 'name')
      this.#outputRank = best.rank
    }
  }

  get #hasExpected(): boolean {
    return this.#hasRole('expected') || [...this.#meanings.values()].some(({ role }) => role === 'expected')
  }

  #decideUnique(role: UniqueRole): void {
    const candidates = this.#openNames
      .filter((name) => this.#meanings.get(name)?.role === role)
      .toSorted((a, b) => (this.#meanings.get(a)?.rank ?? 0) - (this.#meanings.get(b)?.rank ?? 0))
    for (const name of candidates) {
      const choice = this.#fit(name)
      if (choice && !this.#hasRole(role)) this.#set(name, choice, 'name')
      else if (role === 'id' && this.#statistics(name).hasDuplicates)
        this.#set(name, { role: 'input' }, 'values')
      // With other values, such names mean nothing.
      else if (role === 'repetition' || (role === 'provider' && this.#meanings.get(name)?.needsPairs))
        continue
      else if (role === 'provider' && !this.#hasRole(role)) this.#set(name, { role: 'input' }, 'values')
      else this.#set(name, { role: 'extra' }, choice ? 'name' : 'values')
    }
  }

  #decideByMeaning(name: string): void {
    const meaning = this.#meanings.get(name)
    if (!meaning) return
    const { role } = meaning
    if (role === 'output') {
      if (this.#possibleOutputs.includes(name)) this.#set(name, { role: 'extra' }, 'default')
      else if (meaning.otherwise) this.#set(name, { role: meaning.otherwise }, 'name')
      else if (meaning.rank < 3) this.#set(name, { role: 'extra' }, 'name')
    } else if (role === 'expected' && !this.#fit(name)) this.#set(name, { role: 'score' }, 'values')
    else if (['score', 'expected', 'input', 'extra'].includes(role) && this.#fit(name))
      this.#set(name, { role, key: meaning.key }, 'name')
  }

  /** Verdicts and ratings in columns whose names mean nothing. */
  #decideByValues(name: string): void {
    if (this.#meanings.get(name)?.role === 'reason') return
    if (areScores(this.#statistics(name), this.#isAfterOutput(name)))
      this.#set(name, { role: 'score' }, 'values')
  }

  /** A reason belongs to the score with the same stem, else to the score in front of it, else to the only one. */
  #decideReasons(): void {
    const scores = [...this.#columns.values()].filter(({ role }) => role === 'score')
    for (const name of this.#openNames) {
      const meaning = this.#meanings.get(name)
      if (meaning?.role !== 'reason') continue
      const { stem = '' } = meaning
      const sameStem = scores.filter((score) => stem !== '' && this.#stemsOf(score).includes(stem))
      const previous = this.#previousScore(name)
      const evaluator = sameStem[0] ?? previous ?? (scores.length === 1 ? scores[0] : undefined)
      if (evaluator) this.#set(name, { role: 'reason', key: evaluator.key ?? undefined }, 'name')
      else if (!this.#hasRole('note') && this.#isAfterOutput(name)) this.#set(name, { role: 'note' }, 'name')
      else this.#set(name, { role: 'extra' }, 'name')
    }
  }

  #stemsOf(score: Column): (string | undefined)[] {
    return [score.name, score.key ?? ''].flatMap((name) => [
      splitWords(name).join(' '),
      meaningOf(name)?.stem,
    ])
  }

  #previousScore(name: string): Column | undefined {
    const previous = this.#columns.get(this.#names[this.#names.indexOf(name) - 1] ?? '')
    return previous?.role === 'score' ? previous : undefined
  }

  /** Scripts write what they add to a row after its inputs: the output, or a measurement before it. */
  #decideByPosition(name: string, firstMeasurement: number): void {
    const isAfter = this.#isAfterOutput(name) || this.#indexOf(name) > firstMeasurement
    const isInput = this.#hasPrefixes || !isAfter
    this.#set(name, { role: isInput ? 'input' : 'extra' }, 'default')
  }

  /** The first score, cost, latency or error. Infinity if there is none, or no output. */
  #findMeasurement(): number {
    const isMeasurement = (name: string) => MEASUREMENTS.has(this.#columns.get(name)?.role ?? 'input')
    const index = this.#hasRole('output') ? this.#names.findIndex(isMeasurement) : -1
    return index === -1 ? Infinity : index
  }

  #indexOf(name: string): number {
    return this.#indexes.get(name) ?? -1
  }

  #isAfterOutput(name: string): boolean {
    this.#outputIndex ??= this.#names.findIndex(
      (other) => this.#columns.get(other)?.role === 'output' || this.#possibleOutputs.includes(other),
    )
    return this.#outputIndex !== -1 && this.#indexOf(name) > this.#outputIndex
  }

  #withType(column: Column): Column {
    const statistics = this.#statistics(column.name)
    const { role, type, origin, name } = column
    if (origin === 'preset' || this.#isAssayExport) return column
    if (role === 'repetition')
      return { ...column, type: type ?? (statistics.min === 0 ? '0-based' : '1-based') }
    const isNumeric = role === 'score' || role === 'cost' || role === 'latency'
    const commas = isNumeric && type !== 'text' && type !== 'bool' ? detectCommas(statistics) : null
    if (role !== 'score' || type !== null) return { ...column, commas }
    const meaning = meaningOf(name)
    const detected = detectScoreType(statistics, meaning?.unit, meaning?.isVerdict)
    const hasPercentages = detected === 'number' && hasMixedPercentages(statistics)
    // Values of explicit score columns keep their own types, unless they are written in a special form.
    const isExplicit = explicitRole(name) === 'score'
    const isSpecial =
      detected === 'percent' ||
      detected === 'rating' ||
      (detected === 'number' && (commas !== null || hasPercentages)) ||
      ((detected === 'number' || detected === 'bool') &&
        name === 'score' &&
        statistics.missingWordCount + statistics.errorCount > 0) ||
      (detected === 'bool' && name === 'score' && statistics.examples.some((text) => !isPlainBoolean(text)))
    return { ...column, commas, hasPercentages, type: isExplicit && !isSpecial ? null : detected }
  }
}

function isPlainBoolean(text: string): boolean {
  return /^(true|false)$/i.test(text) || isMissing(text)
}
