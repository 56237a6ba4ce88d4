// Builds the Python package once, and creates clean environments with it and with the requirements of its tests.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createTempFolder } from '../support/harness.ts'
import { ROOT } from '../support/test-run.ts'
import type { Interpreter } from './interpreters.ts'

export interface CommandResult {
  code: number
  /** Standard output and standard error. */
  output: string
}

export interface Environment {
  /** For example 3.13.0. */
  version: string
  /** The interpreter of an environment that contains the wheel and the requirements. */
  python: string
  /** The interpreter of the cached environment, which contains only the requirements. */
  toolsPython: string
}

export interface Distributions {
  wheel: string
  /** Empty if only the wheel was built. */
  sdist: string
}

const PACKAGE = join(ROOT, 'python')
const REQUIREMENTS = readFileSync(join(PACKAGE, 'tests/requirements.txt'), 'utf8')
/** The installed requirements, for the next run. `npm ci` deletes this folder. */
export const CACHE = join(ROOT, 'node_modules/.cache/assay')
const BUILD_OUTPUT = /^(?:dist|build|\..*|__pycache__|.*\.egg-info)$/

/** Runs a command without the settings of Python in the environment of this process. */
export function run(
  program: string,
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<CommandResult> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:PYTHON|VIRTUAL_ENV|ASSAY_)/.test(name),
  )
  const options = {
    cwd,
    env: { ...Object.fromEntries(inherited), NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1', ...env },
    maxBuffer: 100_000_000,
  }
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0
      resolve({
        code,
        output: stdout + stderr + (error && code === 1 && !stdout && !stderr ? error.message : ''),
      })
    })
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('close', () => process.off('exit', kill))
  })
}

async function runOrThrow(program: string, args: string[], cwd: string): Promise<void> {
  const { code, output } = await run(program, args, { cwd })
  if (code !== 0) throw new Error(`${basename(program)} ${args.join(' ')} exits with ${code}:\n${output}`)
}

/** Copies the package out of the checkout, so that tests can only import what the wheel contains. */
export function copyPackage(): string {
  const folder = join(createTempFolder(), 'python')
  const filter = (path: string) => path === PACKAGE || !BUILD_OUTPUT.test(basename(path))
  cpSync(PACKAGE, folder, { recursive: true, preserveTimestamps: true, filter })
  return folder
}

/** Builds an sdist, and the wheel from this sdist, in an isolated environment. */
export async function buildDistributions(python: string, packageFolder: string): Promise<Distributions> {
  const folder = createTempFolder()
  await runOrThrow(python, ['-m', 'build', '--outdir', folder, '.'], packageFolder)
  const find = (pattern: string) => globSync(join(folder, pattern))[0] ?? ''
  return { wheel: find('*.whl'), sdist: find('*.tar.gz') }
}

/** Builds only the wheel, which takes half of the time. */
export async function buildWheel(python: string, packageFolder: string): Promise<Distributions> {
  const folder = createTempFolder()
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--wheel-dir', folder]
  await runOrThrow(python, ['-m', 'pip', 'wheel', ...options, '.'], packageFolder)
  return { wheel: globSync(join(folder, '*.whl'))[0] ?? '', sdist: '' }
}

/**
 * Installs the requirements, or only those with the given names, unless an earlier run did. Returns the interpreter of
 * the environment.
 */
export async function installRequirements(
  { path, version }: Interpreter,
  names: string[] = [],
): Promise<string> {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)
  const environments = `python-${version}-${hash([path, REQUIREMENTS].join('\n'))}`
  const folder = join(CACHE, `${environments}-${hash(names.join('\n'))}`)
  if (!existsSync(folder)) {
    // Environments with other names can be in use by another file of this run.
    for (const environment of globSync(join(CACHE, `python-${version}-*`)))
      if (!basename(environment).startsWith(environments))
        rmSync(environment, { recursive: true, force: true })
    mkdirSync(CACHE, { recursive: true })
    // Renamed when it is complete: an interrupted installation must not look like a finished one.
    const unfinished = join(CACHE, `unfinished-python-${version}-${process.pid}`)
    const requirements = join(PACKAGE, 'tests/requirements.txt')
    try {
      await runOrThrow(path, ['-m', 'venv', unfinished], CACHE)
      // Modules are compiled when they are imported; most never are.
      const options = ['--quiet', '--disable-pip-version-check', '--no-compile', '--only-binary', ':all:']
      const selection = names.length > 0 ? ['--constraint', requirements, ...names] : ['-r', requirements]
      await runOrThrow(
        join(unfinished, 'bin/python'),
        ['-m', 'pip', 'install', ...options, ...selection],
        CACHE,
      )
      // Another run can have been faster.
      if (!existsSync(folder)) renameSync(unfinished, folder)
    } finally {
      rmSync(unfinished, { recursive: true, force: true })
    }
  }
  return join(folder, 'bin/python')
}

/** Creates an environment outside the checkout that contains only the wheel. Returns its interpreter. */
export async function createEmptyEnvironment(
  { path }: Interpreter,
  toolsPython: string,
  wheel: string,
): Promise<string> {
  const folder = createTempFolder()
  await runOrThrow(path, ['-m', 'venv', '--without-pip', folder], folder)
  const options = ['--quiet', '--disable-pip-version-check', '--no-index', '--no-deps']
  const target = ['--target', packagesFolder(folder)]
  await runOrThrow(toolsPython, ['-m', 'pip', 'install', ...options, ...target, wheel], folder)
  return join(folder, 'bin/python')
}

/** Creates an environment outside the checkout with the wheel, and the requirements of the cached environment. */
export async function createEnvironment(
  interpreter: Interpreter,
  toolsPython: string,
  wheel: string,
): Promise<Environment> {
  const python = await createEmptyEnvironment(interpreter, toolsPython, wheel)
  const folder = dirname(dirname(python))
  const requirements = packagesFolder(dirname(dirname(toolsPython)))
  writeFileSync(join(packagesFolder(folder), 'requirements.pth'), `${requirements}\n`)
  // pip installed this command only in the cached environment.
  const command = `#!${python}\nimport sys\nimport pytest\nsys.exit(pytest.console_main())\n`
  writeFileSync(join(folder, 'bin/pytest'), command, { mode: 0o755 })
  return { version: interpreter.version, python, toolsPython }
}

function packagesFolder(environment: string): string {
  return globSync(join(environment, 'lib/python3.*/site-packages'))[0] ?? ''
}
