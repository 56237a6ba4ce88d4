// The CPU time of a test run, in seconds and relative to a fixed amount of work, because machines differ.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * The limit of `npm test`, as a multiple of the calibration. `.ci/nightly` fails above it. Lower it when the tests need
 * less; before you raise it, look for tests that repeat others.
 */
export const CPU_LIMIT = 4000

/** The unit of /proc/PID/stat, which is 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100

/** The first measurements also compile the code. */
const WARM_UP = 5
const INTERVAL_MS = 20_000

/**
 * Measures the CPU seconds of a fixed amount of work now and then repeatedly, because the speed of a shared machine changes during
 * a run. The returned function stops and returns the mean.
 */
export function startCalibration(): () => number {
  const measurements = [Math.min(...Array.from({ length: WARM_UP }, measureWork))]
  const timer = setInterval(() => measurements.push(measureWork()), INTERVAL_MS).unref()
  return () => {
    clearInterval(timer)
    return measurements.reduce((sum, seconds) => sum + seconds, 0) / measurements.length
  }
}

/** The work resembles the tests: objects, JSON, texts and hashes. */
function measureWork(): number {
  const start = process.cpuUsage()
  const rows = Array.from({ length: 2000 }, (_, index) => ({ id: `row-${index}`, score: (index * 7) % 97 }))
  let digest = ''
  for (let round = 0; round < 80; round++) {
    const text = JSON.stringify(rows.toSorted((a, b) => a.score - b.score))
    digest = createHash('sha256').update(digest).update(text).digest('hex')
    for (const { id } of JSON.parse(text) as typeof rows) id.replaceAll('-', '_').split('_')
  }
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

interface Process {
  pid: number
  parent: number
  /** Seconds of the process and of its children that have ended. */
  seconds: number
}

/**
 * The CPU seconds of this process and all of its descendants so far, or undefined where the system has no /proc. It
 * includes what the shell of an npm script has run before it started this process with `exec`.
 */
export function cpuSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)))
  const children = Map.groupBy(processes, ({ parent }) => parent)
  const total = ({ pid, seconds }: Process): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + total(child), seconds)
  return processes.filter(({ pid }) => pid === process.pid).reduce((sum, root) => sum + total(root), 0)
}

/** Returns nothing for a process that has ended in the meantime. */
function readProcess(pid: number): Process[] {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return []
  }
  // The second field is the name in parentheses, which can contain spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
  return [{ pid, parent: fields[1] ?? 0, seconds: ticks / TICKS_PER_SECOND }]
}
