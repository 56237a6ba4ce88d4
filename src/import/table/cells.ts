// Converts the cells of a table to JSON values, and reports what was repaired or cannot be converted.
import { pointerStep } from '../../json/problem.ts'
import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { truncate } from '../../schema/validation/truncate.ts'
import { isNotFinite, parseNumber } from '../csv-rows.ts'
import { repairNote } from '../read-records.ts'
import { type Column, VALUE_TYPES } from './columns.ts'
import { ERROR_STARTS, FALSE_WORDS, MISSING_WORDS, NO_ERROR_WORDS, TRUE_WORDS } from './name-lists.ts'
import { parseDecimal, parseMeasurement, parseRating, scaleDecimal, scaleMeasurement } from './numbers.ts'
import type { TableRow, TableValue } from './rows.ts'

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...TRUE_WORDS.map((word) => [word, true] as const),
  ...FALSE_WORDS.map((word) => [word, false] as const),
])

export function parseBooleanWord(text: string): boolean | undefined {
  // Emoji can end with a variation selector.
  return BOOLEANS.get(text.replace(/\ufe0f$/, '').toLowerCase())
}

/** Whether a cell in a column of scores says that there is no score because something failed. */
export function isErrorCell(text: string): boolean {
  const lower = text.toLowerCase()
  return ERROR_STARTS.some((start) => lower.startsWith(start) && !/^[a-z]/.test(lower.slice(start.length)))
}

/** Scripts write these instead of an empty cell. */
export function isNoError(text: string): boolean {
  return NO_ERROR_WORDS.includes(text.toLowerCase())
}

export function isMissing(text: string): boolean {
  return text === '' || isNotFinite(text) || MISSING_WORDS.includes(text.toLowerCase())
}

/** What is counted per column, because each cell of a column can need it. */
const REPAIRS = {
  percent: 'divided by 100',
  decimal: 'read with a decimal comma',
  thousands: 'read without the commas between thousands',
  unit: 'read with the unit in the cell',
  boolean: 'read as true or false',
  missing: 'read as not scored',
  noError: 'read as no error',
}
const OBSERVATIONS = {
  evaluatorError: ({ type }: Column) =>
    `stored as an error of the evaluator, because the column has the type ${type}`,
  notNumber: ({ role }: Column) => `not read as a ${role}, and stored in extra`,
}
type Repair = keyof typeof REPAIRS

interface CellCount {
  kind: Repair | keyof typeof OBSERVATIONS | 'text'
  column: Column
  count: number
  example: string
  line: number
}

/** Converts the cells of one file. `rowEvents` contains what happened in the current row. */
export class CellConverter {
  #row: Pick<TableRow, 'index' | 'line'> = { index: 0, line: 1 }
  #rowEvents: ImportEvent[] = []
  readonly #counts = new Map<string, CellCount>()
  /** Numbers, and true and false, in score columns without a type. */
  readonly #untypedNumbers = new Map<Column, number>()

  /** The values of a row by column, and the events about them. The row is rejected if they contain a rejection. */
  convertRow(
    row: TableRow,
    columnOf: (name: string) => Column,
  ): { values: [Column, Json][]; events: ImportEvent[] } {
    this.#row = row
    this.#rowEvents = []
    const values: [Column, Json][] = []
    for (const [name, cell] of row.values) {
      const column = columnOf(name)
      const value = this.#convert(
        column,
        typeof cell === 'string' ? this.#removeApostrophe(column, cell) : cell,
      )
      if (value) values.push([column, value])
    }
    return { values, events: this.#rowEvents }
  }

  /** One note per column and kind of repair, and about columns with numbers and texts. */
  *columnNotes(): Generator<ImportEvent> {
    const counts = [...this.#counts.values()]
    for (const counted of counts)
      if (counted.kind in REPAIRS) {
        const detail = `${describeCells(counted)} ${REPAIRS[counted.kind as Repair]}.`
        yield repairNote(null, counted.line, pointerStep(counted.column.name), detail)
      }
    for (const [column, numbers] of this.#untypedNumbers) {
      const texts = this.#counts.get(`text ${column.name}`)
      if (numbers === 0 || !texts) continue
      const others = numbers === 1 ? '1 other cell' : `${numbers} other cells`
      const detail = `${describeCells(texts)} stored as text, but ${others} of the column as numbers or true and false.`
      yield columnNote(texts, detail)
    }
    for (const kind of ['evaluatorError', 'notNumber'] as const)
      for (const counted of counts.filter((other) => other.kind === kind))
        yield columnNote(counted, `${describeCells(counted)} ${OBSERVATIONS[kind](counted.column)}.`)
  }

  #removeApostrophe(column: Column, cell: string): string {
    if (!/^'[=+\-@\t\r]/.test(cell)) return cell
    this.#noteRepair(column, "The ' in front of a formula was removed.")
    return cell.slice(1)
  }

  /** Only inputs and outputs can be empty strings. */
  #convert(column: Column, cell: TableValue): Json | undefined {
    const { role } = column
    if (role === 'score') return this.#convertScore(column, cell)
    if (role === 'cost' || role === 'latency') return this.#convertMeasurement(column, cell)
    if (role === 'repetition') return this.#convertRepetition(column, cell)
    if (typeof cell !== 'string') return cell
    if (role === 'input' || role === 'output') return Json.of(cell)
    if (cell === '') return undefined
    if (role === 'error' && isNoError(cell.trim())) {
      this.#count('noError', column, cell.trim())
      return undefined
    }
    if (role === 'is_pinned') return parseBoolean(cell.trim()) ?? Json.of(cell)
    return Json.of(cell)
  }

  #convertScore(column: Column, cell: TableValue): Json | undefined {
    const { type, commas, hasPercentages } = column
    if (typeof cell !== 'string' && (type === null || cell.isNull)) return cell
    const text = (typeof cell === 'string' ? cell : cell.plain).trim()
    if (text === '') return Json.of(null)
    if (isNotFinite(text)) {
      this.#noteRepair(column, `'${text}' is not a number and was read as not scored.`)
      return Json.of(null)
    }
    if (type === null) return this.#convertUntyped(column, text) ?? Json.of(cell)
    if (type === 'text') return Json.of(typeof cell === 'string' ? cell : cell.plain)
    if (isMissing(text)) {
      this.#count('missing', column, text)
      return Json.of(null)
    }
    if (isErrorCell(text)) {
      this.#count('evaluatorError', column, text)
      return Json.object([['error', Json.object([['message', Json.of(text)]])]])
    }
    if (type === 'bool') {
      const boolean = parseBooleanWord(text)
      if (boolean === undefined) return this.#reject(column, text, 'true or false')
      if (!parseBoolean(text)) this.#count('boolean', column, text)
      return Json.of(boolean)
    }
    const rating = type === 'rating' ? parseRating(text) : undefined
    if (rating)
      return Json.object([
        ['value', rating.number],
        ['scale', rating.scale],
      ])
    const digits = type === 'percent' || hasPercentages ? text.replace(/\s*%$/, '') : text
    const number = parseDecimal(digits, commas)
    if (!number)
      return this.#reject(column, text, commas === 'decimal' ? 'a number with a decimal comma' : 'a number')
    if (type === 'percent' || digits !== text) {
      this.#count('percent', column, text)
      return new Json(scaleDecimal(number.text, -2))
    }
    if (commas !== null && text.includes(',')) this.#count(commas, column, text)
    return number
  }

  /** Counts numbers and texts, because a text between numbers is probably a mistake. */
  #convertUntyped(column: Column, text: string): Json | undefined {
    const value = parseNumber(text) ?? parseBoolean(text)
    this.#untypedNumbers.set(column, (this.#untypedNumbers.get(column) ?? 0) + (value ? 1 : 0))
    if (!value) this.#count('text', column, text)
    return value
  }

  /** A value that is not a number stays as it is, and is stored in `extra`. */
  #convertMeasurement(column: Column, cell: TableValue): Json | undefined {
    const { type, role, commas } = column
    if (typeof cell !== 'string') {
      if (cell.number !== undefined) return scaleMeasurement(cell, type)
      if (!cell.isNull) this.#count('notNumber', column, cell.plain)
      return cell
    }
    if (cell === '') return undefined
    const text = cell.trim()
    const number = parseDecimal(text, commas)
    if (number) {
      if (commas !== null && text.includes(',')) this.#count(commas, column, text)
      return scaleMeasurement(number, type)
    }
    if (commas === 'decimal' && parseNumber(text))
      return this.#reject(column, text, 'a number with a decimal comma')
    const measurement = parseMeasurement(text, role, commas)
    if (measurement) {
      this.#count('unit', column, text)
      return scaleMeasurement(measurement.number, measurement.unit)
    }
    if (!isMissing(text)) this.#count('notNumber', column, text)
    return Json.of(cell)
  }

  /** A value that is not an integer from 1, or from 0, stays as it is, and is stored in `extra`. */
  #convertRepetition(column: Column, cell: TableValue): Json | undefined {
    if (cell === '') return undefined
    const value = typeof cell === 'string' ? (parseNumber(cell.trim()) ?? Json.of(cell)) : cell
    const number = (value.number ?? Number.NaN) + (column.type === '0-based' ? 1 : 0)
    if (Number.isSafeInteger(number) && number > 0) return Json.of(number)
    if (!value.isNull && !isMissing(value.plain)) this.#count('notNumber', column, value.plain)
    return value
  }

  #count(kind: CellCount['kind'], column: Column, text: string): void {
    const key = `${kind} ${column.name}`
    const counted = this.#counts.get(key)
    const { line } = this.#row
    if (counted) counted.count += 1
    else this.#counts.set(key, { kind, column, count: 1, example: truncate(text, 50), line })
  }

  #noteRepair(column: Column, detail: string): void {
    const { index, line } = this.#row
    this.#rowEvents.push(repairNote(index + 1, line, pointerStep(column.name), detail))
  }

  #reject(column: Column, text: string, expected: string): undefined {
    const { index, line } = this.#row
    const otherTypes = VALUE_TYPES[column.role]?.filter((type) => type !== column.type) ?? []
    const detail = `'${truncate(text, 50)}' is not ${expected}, but the column has the type ${column.type}. Correct it, or map the column to another type (${otherTypes.join(', ')}).`
    this.#rowEvents.push({
      kind: 'rejection',
      record: index + 1,
      line,
      pointer: pointerStep(column.name),
      detail,
    })
  }
}

function describeCells({ count, example }: CellCount): string {
  return `${count === 1 ? '1 cell' : `${count} cells`} such as '${example}' ${count === 1 ? 'was' : 'were'}`
}

function columnNote({ column, line }: CellCount, detail: string): ImportEvent {
  return { kind: 'note', record: null, line, pointer: pointerStep(column.name), detail }
}

function parseBoolean(text: string): Json | undefined {
  return /^(true|false)$/i.test(text) ? new Json(text.toLowerCase()) : undefined
}
