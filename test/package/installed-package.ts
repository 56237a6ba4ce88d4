// Uses an installed package the way a new user does: from an empty folder, as an unprivileged user, with no settings.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PARQUET_FILE = fileURLToPath(new URL('../fixtures/parquet/answers.parquet', import.meta.url))
const EVALUATION = 'support-answer-r5'
const REGRESSION_GATE = ['compare', 'support-answer-r4', EVALUATION, '--fail-on-regression']
const SCENARIO_COUNT = 120
const REVISION_COUNT = 7
const TABLE = 'question,output,score.correct\nOne?,1,1\nTwo?,2,0\n'

/** Root runs the commands as a user without rights. */
const UNPRIVILEGED_ID = 65534
export const UNPRIVILEGED_USER =
  process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : undefined

const DEPENDENCIES = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** Links the dependencies of a package in a folder node_modules next to it, instead of installing them. */
export function linkDependencies(packageFolder: string): void {
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const { dependencies = {}, bundleDependencies = [] } = manifest
  for (const name of Object.keys(dependencies)) {
    if (bundleDependencies.includes(name)) continue
    const link = join(dirname(packageFolder), name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(DEPENDENCIES, name), link)
  }
}

export interface Installation {
  /** The program that runs Node. */
  node: string
  /** The file that the command `assay` runs. */
  main: string
  /** The current folder of all commands. Its user can write to it. */
  folder: string
  user: { uid: number; gid: number } | undefined
}

/** How long each start of the service took until it was ready, in milliseconds. */
export interface StartTimes {
  first: number
  second: number
}

/** No variable of the tests affects the commands. The compile cache is a folder of its own. */
function spawnOptions({ folder, user }: Installation) {
  return { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder }, ...user }
}

export function runInstalled(installation: Installation, args: string[], exitCode = 0) {
  const { node, main } = installation
  const options = { ...spawnOptions(installation), encoding: 'utf8' as const }
  const { status, stdout, stderr } = spawnSync(node, [main, ...args], options)
  assert.equal(status, exitCode, `assay ${args.join(' ')}: ${stdout}${stderr}`)
  return { stdout, stderr }
}

interface SampleService {
  origin: string
  key: string
}

/** Serves the sample data on a free port while `use` runs. Returns how long the start took, in milliseconds. */
async function serveInstalled(
  installation: Installation,
  flags: string[] = [],
  use: (service: SampleService) => Promise<void> = async () => undefined,
): Promise<number> {
  const args = ['serve', '--sample', '--port', '0', '--log-level', 'silent', ...flags]
  const startTime = performance.now()
  const child = spawn(installation.node, [installation.main, ...args], {
    ...spawnOptions(installation),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const exited = once(child, 'exit')
    while (stdout.split('\n').length <= 5) {
      await Promise.race([once(child.stdout, 'data'), exited])
      assert.equal(child.exitCode ?? child.signalCode, null, stderr)
    }
    const startMs = performance.now() - startTime
    const [, origin = '', key = ''] = /^Listening on (.*)\nKey: (.*)\n/.exec(stdout) ?? []
    await use({ origin, key })
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
    assert.equal(stderr, '', 'Node prints no warning')
    return startMs
  } finally {
    child.kill('SIGKILL')
  }
}

/** Serves the page and both reads, imports, compares, exports, and starts again. */
export async function useInstalledPackage(installation: Installation): Promise<StartTimes> {
  const { folder } = installation
  const { stdout: overview } = runInstalled(installation, [], 2)
  assert.match(overview, /^Usage: assay COMMAND .*\n\nAssay stores the results of LLM evaluations /)

  let scenarios = ''
  const first = await serveInstalled(installation, [], async (service) => {
    await readPage(service)
    scenarios = await readSample(service)
    compareRemotely(installation, service)
  })
  assert.deepEqual(readdirSync(join(folder, 'assay-data')), ['assay.db'])

  writeFileSync(join(folder, 'answers.csv'), TABLE)
  const imported = runInstalled(installation, ['import', './answers.csv', '--evaluation', 'answers'])
  assert.match(imported.stdout, /evaluation answers: 2 scenarios added/)
  // A thread with a file of its own decodes it.
  writeFileSync(join(folder, 'frame.parquet'), readFileSync(PARQUET_FILE))
  const frame = runInstalled(installation, ['import', './frame.parquet', '--evaluation', 'frame'])
  assert.match(frame.stdout, /evaluation frame: 2 scenarios added/)
  assert.match(
    runInstalled(installation, REGRESSION_GATE, 1).stdout,
    /is worse than support-answer-r4 on answer_correct/,
  )
  runInstalled(installation, ['export', EVALUATION, '--output', 'export.json'])
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'export.json'), 'utf8')), JSON.parse(scenarios))

  // The worker processes run the same file.
  await serveInstalled(installation, ['--workers', '2'])
  const second = await serveInstalled(installation)
  return { first, second }
}

async function readPage({ origin }: SampleService): Promise<void> {
  const page = await (await fetch(origin)).text()
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.ok(assets.length > 0, page)
  for (const path of ['/docs', '/api/openapi.json', ...assets])
    assert.equal((await fetch(origin + path)).status, 200, path)
}

/** Sends both reads, and one that a thread computes. Returns the scenarios. */
async function readSample({ origin, key }: SampleService): Promise<string> {
  async function read(path: string): Promise<string> {
    const response = await fetch(`${origin}/api/${path}`, { headers: { authorization: key } })
    assert.equal(response.status, 200, path)
    return await response.text()
  }
  const scenarios = await read(`evaluations/${EVALUATION}/evaluation_scenarios`)
  assert.equal(JSON.parse(scenarios).length, SCENARIO_COUNT)
  assert.equal(JSON.parse(await read('variants/support-answer/revisions')).length, REVISION_COUNT)
  assert.equal(JSON.parse(await read(`evaluations/${EVALUATION}/summary`)).matched, SCENARIO_COUNT)
  return scenarios
}

/** Runs a command over HTTP, with the client that the package contains. */
function compareRemotely(installation: Installation, { origin, key }: SampleService): void {
  const { stdout } = runInstalled(installation, [...REGRESSION_GATE, '--url', origin, '--key', key], 1)
  assert.match(stdout, /is worse than support-answer-r4 on answer_correct/)
}
