// Prints the results of growth.ts as a Markdown table, and the operations that grow with the store.

export interface Column {
  /** The size of the store. */
  name: string
  /** By operation. */
  cells: Map<string, Cell>
}

export interface Cell {
  value: number
  unit: 'ms' | 'MiB' | 'MB' | 'MB/s'
  /** The status of a response that is an error. */
  status?: number | undefined
  /** Whether the response grows with the store. Not set if that does not apply. */
  grows?: boolean
}

/** A larger factor is reported, unless the time is short anyway. */
const MAX_FACTOR = 3
const MAX_MS = 20

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** One row per operation, one column per size, and the largest value divided by the first one. */
export function printTable(title: string, columns: Column[]): void {
  const names = new Set(columns.flatMap(({ cells }) => [...cells.keys()]))
  const failures: string[] = []
  print(`\n| ${title}, ms | ${columns.map(({ name }) => name).join(' | ')} | factor |`)
  print(`|---|${columns.map(() => '---|').join('')}---|`)
  for (const name of names) {
    const row = columns.map(({ cells }) => cells.get(name))
    const cells = row.filter((cell) => cell !== undefined)
    const largest = Math.max(...cells.map(({ value }) => value))
    const factor = cells.length > 1 ? largest / (cells[0]?.value ?? 1) : undefined
    print(`| ${name} | ${row.map(format).join(' | ')} | ${factor?.toFixed(1) ?? ''} |`)
    if (cells.some(({ status }) => status !== undefined)) failures.push(`${name}: an error`)
    if (cells[0]?.grows === false && (factor ?? 0) > MAX_FACTOR && largest > MAX_MS)
      failures.push(`${name}: grows by ${factor?.toFixed(1)}`)
  }
  for (const failure of failures) print(`FAILED ${title}, ${failure}`)
}

function format(cell: Cell | undefined): string {
  if (!cell) return ''
  const { value, unit, status } = cell
  const text = value < 10 ? value.toFixed(1) : value.toFixed(0)
  return [text, unit === 'ms' ? '' : ` ${unit}`, status === undefined ? '' : ` (${status})`].join('')
}
