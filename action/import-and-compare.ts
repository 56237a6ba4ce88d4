// The main step of action.yml: imports result files into a service, compares them with a baseline, and writes the report.
// Reads its inputs from environment variables.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, globSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Assay } from 'assay-client'
import type { ImportReport } from '../src/schema/imports.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const { ASSAY_KEY = '', SERVICE_URL = '', FILES = '', EVALUATION = '', BASELINE = '' } = process.env
const { RUNNER_TEMP = '', GITHUB_STEP_SUMMARY = '', GITHUB_OUTPUT = '' } = process.env

/** Runs a command on the service. The key is in the environment, so that it is in no argument. */
function runAssay(command: string, ...args: string[]) {
  return spawnSync(process.execPath, [MAIN, command, `--url=${SERVICE_URL}`, ...args], {
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  })
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

/** Imports all files. Returns the number of imported scenarios by evaluation, or exits if the import fails. */
function importFiles(): Map<string, number> {
  const flags = [`--evaluation=${EVALUATION}`, '--on-conflict=replace', '--json']
  const { status, stdout, stderr } = runAssay('import', ...flags, '--', ...listPaths(FILES))
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  if (status !== 0) process.exit(status ?? 1)
  const { files } = JSON.parse(stdout) as { files: ImportReport[] }
  const counts = new Map<string, number>()
  for (const { id, accepted, unchanged, replaced = 0 } of files.flatMap(({ evaluations }) => evaluations))
    counts.set(id, (counts.get(id) ?? 0) + accepted + unchanged + replaced)
  return counts
}

/** Deletes evaluations with more scenarios than were imported, and returns whether there were any. */
async function deleteOldScenarios(counts: Map<string, number>): Promise<boolean> {
  const assay = new Assay({ key: ASSAY_KEY, baseUrl: `${SERVICE_URL.replace(/\/$/, '')}/api` })
  let isDeleted = false
  for (const [id, count] of counts) {
    const { scenario_count } = await assay.getEvaluation(id)
    if (scenario_count <= count) continue
    await assay.deleteEvaluation(id)
    isDeleted = true
  }
  return isDeleted
}

/** Compares each evaluation with its baseline and writes one report. Returns the exit code. */
function compare(ids: Iterable<string>): number {
  let exitCode = 0
  const paragraphs: string[] = []
  for (const id of ids) {
    // A file with several columns becomes the evaluations ID:0, ID:1 and so on. Each has its own baseline.
    const baseline = BASELINE + id.slice(EVALUATION.length)
    const { status, stdout, stderr } = runAssay(
      'compare',
      '--markdown',
      '--fail-on-regression',
      '--',
      baseline,
      id,
    )
    process.stderr.write(stderr)
    // The reason of a failure follows the report as an indented code block.
    paragraphs.push(stdout, stderr.replaceAll(/^(?=.)/gm, '    '))
    exitCode ||= status ?? 1
  }
  const file = join(mkdtempSync(join(RUNNER_TEMP, 'assay-')), 'report.md')
  const report = paragraphs.filter(Boolean).join('\n')
  writeFileSync(file, report)
  appendFileSync(GITHUB_STEP_SUMMARY, report)
  appendFileSync(GITHUB_OUTPUT, `report=${file}\n`)
  return exitCode
}

const counts = importFiles()
if (counts.size === 0) {
  process.stderr.write(
    'The files contain no evaluation. Check that the evaluation has written its results.\n',
  )
  process.exit(1)
}
// Some tools, such as promptfoo, give scenarios new ids in each run. Then those of an earlier run of the job are still stored.
if (await deleteOldScenarios(counts)) importFiles()
if (BASELINE !== '') process.exitCode = compare(counts.keys())
