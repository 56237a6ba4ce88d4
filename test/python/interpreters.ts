// Finds the installed Python versions that can run the package.
import { execFile, execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Interpreter {
  path: string
  /** For example 3.13.0. */
  version: string
}

const MINIMUM = [3, 10]
const LAST_MINOR = 19
/** Fails if the modules that create environments are missing, as on Debian without python3-venv. */
const PROBE = 'import sys, venv, ensurepip; print(sys.executable, *sys.version_info, sep="\\n")'

/** The latest patch release of each Python version, oldest first. */
export async function findInterpreters(): Promise<Interpreter[]> {
  const minors = Array.from({ length: LAST_MINOR - 9 }, (_, index) => `python3.${10 + index}`)
  const paths = ['python3', ...minors, ...pyenvInterpreters()]
  const probed = await Promise.all(paths.map(probe))
  const found = probed
    .filter((interpreter) => interpreter !== undefined)
    .filter(({ version }) => compareVersions(version, MINIMUM.join('.')) >= 0)
    .sort((a, b) => compareVersions(a.version, b.version))
  return [...new Map(found.map((interpreter) => [minorOf(interpreter.version), interpreter])).values()]
}

/** pyenv puts programs on PATH that fail for versions that are not active. */
function pyenvInterpreters(): string[] {
  try {
    const root = execFileSync('pyenv', ['root'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    return globSync(join(root, 'versions/*/bin/python3'))
  } catch {
    return []
  }
}

async function probe(program: string): Promise<Interpreter | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ['-c', PROBE])
    const [path = '', major, minor, patch, level] = stdout.split('\n')
    return level === 'final' ? { path, version: `${major}.${minor}.${patch}` } : undefined
  } catch {
    return undefined
  }
}

function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.')
}

function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true })
}

/** Oldest and newest first, since defects depend on the version most often there. */
export function selectInterpreters(found: Interpreter[], count: number): Interpreter[] {
  return [...new Set([found[0], found.at(-1), ...found])].filter((one) => one !== undefined).slice(0, count)
}
