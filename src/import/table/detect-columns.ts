// Detects the roles of table columns from their names, values and positions.
import { isMissing } from './cells.ts'
import { meaningOf, type NameMeaning, UNORDERED_RANK } from './column-names.ts'
import { type Column, type ColumnChoice, createColumn, explicitRole, isAssayExport } from './columns.ts'
import {
  detectCommas,
  detectLatencyUnit,
  detectScoreType,
  hasMixedPercentages,
  isScoreLike,
} from './detect-types.ts'
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
}

/** Roles that only one column can have. */
const UNIQUE_ROLES = ['id', 'cost', 'latency', 'error', 'note'] as const

/** Decides the roles of columns that no option and no preset decides. */
export function detectColumns(sample: TableSample, decided: ReadonlyMap<string, Column>): DetectedColumns {
  return new ColumnDetector(sample, decided).detect()
}

class ColumnDetector {
  readonly #sample: TableSample
  readonly #names: string[]
  readonly #columns: Map<string, Column>
  readonly #meanings = new Map<string, NameMeaning>()
  /** Tables with names such as `input.question` follow the convention: other columns are inputs. */
  readonly #hasPrefixes: boolean
  readonly #repeatedIds: string[] = []
  #possibleOutputs: string[] = []
  #outputRank: number | undefined

  constructor(sample: TableSample, decided: ReadonlyMap<string, Column>) {
    this.#sample = sample
    this.#names = [...sample.columns.keys()]
    this.#columns = new Map(decided)
    this.#hasPrefixes =
      isAssayExport(this.#names) || this.#names.some((name) => explicitRole(name) && name.includes('.'))
    for (const name of this.#openNames) {
      const meaning = meaningOf(name)
      if (meaning) this.#meanings.set(name, meaning)
    }
  }

  detect(): DetectedColumns {
    // First, because it decides whether ids can repeat.
    this.#decideRepetition()
    this.#decideExplicit()
    this.#decideOutput()
    for (const role of UNIQUE_ROLES) this.#decideUnique(role)
    for (const name of this.#openNames) this.#decideByMeaning(name)
    for (const name of this.#openNames) this.#decideByValues(name)
    this.#decideReasons()
    for (const name of this.#openNames) this.#decideByPosition(name)
    return {
      columns: this.#names.map((name) => this.#withType(this.#columns.get(name) as Column)),
      possibleOutputs: this.#possibleOutputs,
      outputRank: this.#outputRank,
      repeatedIds: this.#repeatedIds,
    }
  }

  /** Columns without a role so far. */
  get #openNames(): string[] {
    return this.#names.filter((name) => !this.#columns.has(name))
  }

  #set(name: string, choice: ColumnChoice, origin: Column['origin']): void {
    this.#columns.set(name, createColumn(name, choice, origin))
  }

  #statistics(name: string): ColumnSample {
    return this.#sample.columns.get(name) ?? new ColumnSample()
  }

  #hasRole(role: Column['role']): boolean {
    return [...this.#columns.values()].some((column) => column.role === role)
  }

  /** Integers from 0 or 1. With other values, the name means nothing. */
  #decideRepetition(): void {
    const [name] = this.#openNames
      .filter((name) => this.#meanings.get(name)?.role === 'repetition' && isCounter(this.#statistics(name)))
      .toSorted((a, b) => (this.#meanings.get(a)?.rank ?? 0) - (this.#meanings.get(b)?.rank ?? 0))
    if (name !== undefined && !this.#hasRole('repetition')) this.#set(name, { role: 'repetition' }, 'name')
  }

  /** Ids can repeat if each occurs once per repetition. */
  #hasUniqueIds(name: string): boolean {
    const ids = this.#statistics(name)
    const repetition = [...this.#columns.values()].find(({ role }) => role === 'repetition')
    return (
      !ids.hasDuplicates || (repetition && !ids.hasDuplicatesWith(this.#statistics(repetition.name))) === true
    )
  }

  #decideExplicit(): void {
    for (const name of this.#openNames) {
      const role = explicitRole(name)
      if (role === 'id' && !this.#hasPrefixes && !this.#hasUniqueIds(name)) this.#repeatedIds.push(name)
      else if (role) this.#set(name, { role }, 'name')
    }
    for (const name of this.#repeatedIds) this.#set(name, { role: 'input' }, 'values')
  }

  #decideOutput(): void {
    const candidates = this.#openNames
      .filter((name) => this.#meanings.get(name)?.role === 'output')
      .map((name) => ({ name, rank: this.#meanings.get(name)?.rank ?? 0 }))
      // A result that is always pass or fail is a score.
      .filter(({ name, rank }) => rank < 3 || !isVerdictColumn(this.#statistics(name)))
      .toSorted((a, b) => a.rank - b.rank)
    const [best] = candidates
    if (!best || this.#hasRole('output')) return
    const equal = candidates.filter(({ rank }) => rank === best.rank).map(({ name }) => name)
    if (equal.length > 1 && best.rank >= UNORDERED_RANK) this.#possibleOutputs = equal
    else {
      this.#set(best.name, { role: 'output' }, 'name')
      this.#outputRank = best.rank
    }
  }

  #decideUnique(role: (typeof UNIQUE_ROLES)[number]): void {
    const candidates = this.#openNames
      .filter((name) => this.#meanings.get(name)?.role === role)
      .toSorted((a, b) => (this.#meanings.get(a)?.rank ?? 0) - (this.#meanings.get(b)?.rank ?? 0))
    for (const name of candidates) {
      const statistics = this.#statistics(name)
      const choice = this.#fitsRole(role, name, statistics)
      if (choice && !this.#hasRole(role)) this.#set(name, choice, 'name')
      else if (role === 'id' && statistics.hasDuplicates) this.#set(name, { role: 'input' }, 'values')
      else this.#set(name, { role: 'extra' }, 'name')
    }
  }

  /** The role with its type, or undefined if the values do not fit. */
  #fitsRole(
    role: (typeof UNIQUE_ROLES)[number],
    name: string,
    statistics: ColumnSample,
  ): ColumnChoice | undefined {
    const { count, numberCount, booleanCount, nestedCount, costCount, latencyCount } = statistics
    const unit = this.#meanings.get(name)?.unit
    if (role === 'id') return this.#hasUniqueIds(name) && nestedCount === 0 ? { role } : undefined
    if (role === 'note') return { role }
    // A numeric error is a metric.
    if (role === 'error')
      return count > 0 && (numberCount === count || booleanCount === count) ? undefined : { role }
    if (numberCount + (role === 'cost' ? costCount : latencyCount) < count) return undefined
    if (role === 'cost')
      return unit === undefined || unit === 'usd' || unit === 'cents'
        ? { role, type: unit ?? 'usd' }
        : undefined
    const type = unit ?? detectLatencyUnit(statistics)
    return type === undefined || !['s', 'ms', 'us', 'min'].includes(type) ? undefined : { role, type }
  }

  #decideByMeaning(name: string): void {
    const meaning = this.#meanings.get(name)
    if (!meaning) return
    const statistics = this.#statistics(name)
    const { role } = meaning
    if (role === 'output') {
      if (this.#possibleOutputs.includes(name)) this.#set(name, { role: 'extra' }, 'default')
      else if (meaning.otherwise) this.#set(name, { role: meaning.otherwise }, 'name')
      else if (meaning.rank < 3) this.#set(name, { role: 'extra' }, 'name')
    } else if (role === 'score') {
      const isScore = meaning.isWeak
        ? this.#isAfterOutput(name) && isScoreLike(statistics, false)
        : isScoreLike(statistics, true)
      if (isScore) this.#set(name, { role }, 'name')
    } else if (role === 'expected') {
      // correct_answer can contain verdicts.
      if (statistics.count > 0 && /^correct/i.test(name) && statistics.booleanCount === statistics.count)
        this.#set(name, { role: 'score' }, 'values')
      else this.#set(name, { role }, 'name')
    } else if (role === 'input' || role === 'extra') this.#set(name, { role }, 'name')
  }

  /** Verdicts in columns whose names mean nothing. */
  #decideByValues(name: string): void {
    if (this.#meanings.get(name)?.role === 'reason') return
    const statistics = this.#statistics(name)
    const { count, booleanCount, numberCount } = statistics
    const isBoolean = count > 0 && booleanCount === count && numberCount === 0
    if (isVerdictColumn(statistics) || (isBoolean && this.#isAfterOutput(name)))
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
    return [score.name, score.key ?? ''].flatMap((name) => [name.toLowerCase(), meaningOf(name)?.stem])
  }

  #previousScore(name: string): Column | undefined {
    const previous = this.#columns.get(this.#names[this.#names.indexOf(name) - 1] ?? '')
    return previous?.role === 'score' ? previous : undefined
  }

  /** Scripts write what they add to a row after its inputs. */
  #decideByPosition(name: string): void {
    const isInput = this.#hasPrefixes || !this.#isAfterOutput(name)
    this.#set(name, { role: isInput ? 'input' : 'extra' }, 'default')
  }

  #isAfterOutput(name: string): boolean {
    const output = this.#names.findIndex(
      (other) => this.#columns.get(other)?.role === 'output' || this.#possibleOutputs.includes(other),
    )
    return output !== -1 && this.#names.indexOf(name) > output
  }

  #withType(column: Column): Column {
    const statistics = this.#statistics(column.name)
    const { role, type, origin, name } = column
    if (origin === 'preset' || isAssayExport(this.#names)) return column
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
      (detected === 'number' && (commas !== null || hasPercentages)) ||
      (detected === 'number' && name === 'score' && statistics.missingWordCount > 0) ||
      (detected === 'bool' && name === 'score' && statistics.examples.some((text) => !isPlainBoolean(text)))
    return { ...column, commas, hasPercentages, type: isExplicit && !isSpecial ? null : detected }
  }
}

function isVerdictColumn({ count, verdictCount }: ColumnSample): boolean {
  return count > 0 && verdictCount === count
}

function isCounter({ count, integerCount, percentCount, commaCount, min }: ColumnSample): boolean {
  return count > 0 && integerCount === count && percentCount + commaCount === 0 && min >= 0
}

function isPlainBoolean(text: string): boolean {
  return /^(true|false)$/i.test(text) || isMissing(text)
}
