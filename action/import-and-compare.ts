// The GitHub Action: imports result files into a service, compares them with a baseline, and writes the report. package/action.ts
// bundles it together with the command line.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, globSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportReport } from '../src/schema/imports.ts'

/** The command line, in the same folder of the bundle. */
const MAIN = join(import.meta.dirname, 'assay.js')
const { RUNNER_TEMP = '', GITHUB_STEP_SUMMARY = '', GITHUB_OUTPUT = '' } = process.env
/** The exit codes of the gate. */
const [WRONG_USAGE, INVALID] = [2, 3]
const DECISIONS: Record<number, string> = { 0: 'passed', 1: 'failed', [INVALID]: 'invalid' }

/** The runner passes inputs as environment variables. */
function input(name: string): string {
  return process.env[`INPUT_${name.toUpperCase()}`]?.trim() ?? ''
}

const [EVALUATION, BASELINE] = [input('evaluation'), input('baseline')]
/** The key is in the environment, so that it is in no argument. */
const COMMAND_ENVIRONMENT = {
  ...process.env,
  ASSAY_KEY: input('key'),
  ASSAY_ON: input('evaluators'),
  ASSAY_TOLERANCE: input('tolerance'),
  ASSAY_MAX_LOSS: input('max-loss'),
  ASSAY_MAX_REGRESSED: input('max-regressed'),
  ASSAY_MIN_MATCHED: input('min-matched'),
}

/** Runs a command on the service. */
function runAssay(command: string, ...args: string[]): { status: number; stdout: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [MAIN, command, `--url=${input('url')}`, ...args],
    { encoding: 'utf8', env: COMMAND_ENVIRONMENT, maxBuffer: Number.POSITIVE_INFINITY },
  )
  process.stderr.write(stderr)
  return { status: status ?? 1, stdout }
}

/** The paths in a text with one path or glob pattern per line. */
function listPaths(text: string): string[] {
  const patterns = text.split('\n').map((line) => line.trim())
  return patterns.filter(Boolean).flatMap((pattern) => {
    const paths = existsSync(pattern) ? [pattern] : globSync(pattern).sort()
    // The command reports a path that does not exist.
    return paths.length > 0 ? paths : [pattern]
  })
}

/** A job that is run again has exactly the rows of its last run. Returns whether there is an evaluation. */
function importFiles(): boolean {
  const baseline = BASELINE === '' ? [] : [`--baseline=${BASELINE}`]
  const flags = [`--evaluation=${EVALUATION}`, '--replace', '--json', ...baseline]
  const { status, stdout } = runAssay('import', ...flags, '--', ...listPaths(input('files')))
  process.stdout.write(stdout)
  if (status === WRONG_USAGE) process.exit(status)
  if (status !== 0) return false
  const { files } = JSON.parse(stdout) as { files: ImportReport[] }
  if (files.some(({ evaluations }) => evaluations.length > 0)) return true
  process.stderr.write(
    'The files contain no evaluation. Check that the evaluation has written its results.\n',
  )
  return false
}

function compare(): number {
  const args = ['--markdown', '--fail-on-regression', '--', BASELINE, EVALUATION]
  const { status, stdout } = runAssay('compare', ...args)
  const file = join(mkdtempSync(join(RUNNER_TEMP, 'assay-')), 'report.md')
  writeFileSync(file, stdout)
  appendFileSync(GITHUB_STEP_SUMMARY, stdout)
  appendFileSync(GITHUB_OUTPUT, `report=${file}\n`)
  return status
}

// Without results, it cannot be decided whether they are worse.
const status = !importFiles() ? INVALID : BASELINE === '' ? 0 : compare()
const decision = DECISIONS[status]
if (BASELINE !== '' && decision !== undefined) appendFileSync(GITHUB_OUTPUT, `decision=${decision}\n`)
process.exitCode = status
