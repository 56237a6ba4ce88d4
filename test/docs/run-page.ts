// Runs the commands of one page with bash, in a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { freePort } from '../postgres/server-folder.ts'
import { createTempFolder } from '../support/harness.ts'
import { BLOCK_MARK, readPage } from './page.ts'
import { BASELINE_EVALUATION, EXAMPLE_KEY_ID, PRECONDITIONS, writeFiles } from './preconditions.ts'

const SHELL = fileURLToPath(new URL('page-shell.sh', import.meta.url))
/** Folders of a server that are subfolders of the folder of the page. */
const SERVER_FOLDERS = ['/var/lib/assay', '/opt/assay', '/elsewhere', '/data']

export interface DatabaseUrls {
  primary: string
  replica: string
}

export interface Environment {
  /** A folder with all programs that the pages can use. */
  programs: string
  /** A folder for temporary files. Assay stores its compiled code there, so that it starts faster. */
  temporaryFiles: string
  /** A store file that pages get a copy of. */
  store: string
  /** A key of this store with all scopes. */
  key: string
  /** The URL of a server that returns the files of other services. */
  otherServices: string
  /** Whether commands in the text and in tables are run. Otherwise they are only parsed. */
  runsInline: boolean
  /** Returns the URLs of an empty database, on the primary server and on its replica. */
  createDatabase(): Promise<DatabaseUrls>
}

export interface PageRun {
  /** The exit code of the script. */
  code: number | null
  /** The exit codes of the commands, by line. */
  executed: { line: number; code: number }[]
  /** Commands that were not run. */
  references: { line: number; text: string }[]
  /** What the page shows, and what its commands printed. */
  outputs: { expected: RegExp; printed: string }[]
  /** Everything that was printed. */
  log: string
}

export async function runPage(file: string, page: string, environment: Environment): Promise<PageRun> {
  const folder = createTempFolder()
  const { store, service } = PRECONDITIONS[file] ?? {}
  writeFiles(folder)
  for (const path of SERVER_FOLDERS) mkdirSync(join(folder, path), { recursive: true })
  const stores = [...(store ? [store] : []), ...(service ? ['assay-data'] : [])]
  for (const path of stores) copyStore(environment.store, join(folder, path))

  const port = await freePort()
  const database = readPage(page, environment).script.includes('postgres://')
    ? await environment.createDatabase()
    : { primary: '', replica: '' }
  const substitute = createSubstitution({ folder, port, database, environment })
  const { script, references } = readPage(substitute(page), environment)
  const state = createTempFolder()
  const scriptFile = join(state, 'page.sh')
  writeFileSync(scriptFile, script)
  const { code, stdout, stderr } = await runShell([SHELL, scriptFile], folder, {
    ...variablesOf(folder, environment),
    ASSAY_PORT: String(port),
    STATE: state,
    ...(service && { START_SERVICE: 'yes' }),
  })
  const outputs = readPage(page).outputs.map(({ line, text }) => ({
    expected: outputPattern(text, substitute),
    printed: stdout.split(`${BLOCK_MARK}${line}\n`)[1]?.split(BLOCK_MARK)[0] ?? '',
  }))
  const executed = readExecuted(join(state, 'executed'))
  return { code, executed, references, outputs, log: stdout + stderr }
}

function copyStore(store: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  cpSync(store, join(folder, basename(store)))
}

/** Replaces what only exists in the examples. */
function createSubstitution({
  folder,
  port,
  database,
  environment: { key, otherServices },
}: {
  folder: string
  port: number
  database: DatabaseUrls
  environment: Environment
}): (text: string) => string {
  const origin = `http://127.0.0.1:${port}`
  const [, publicId = ''] = key.split('_')
  const serverFolder = new RegExp(`(?<![\\w.:/])(?=(?:${SERVER_FOLDERS.join('|')})\\b)`, 'g')
  const table: [RegExp, string | ((match: string, ...groups: string[]) => string)][] = [
    [/http:\/\/127\.0\.0\.1:8080/g, origin],
    [/https:\/\/(?:\w+\.)?evals\.example/g, origin],
    [/https:\/\/api\.openai\.com/g, otherServices],
    [/postgres:\/\/[^\s`]*/g, (url) => (url.includes('@replica') ? database.replica : database.primary)],
    [serverFolder, folder],
    [/(?<==)assay_…/g, '$ASSAY_KEY'],
    [/assay_…/g, key],
    [new RegExp(EXAMPLE_KEY_ID, 'g'), publicId],
    [/--project NAME\b/g, '--project default'],
    // Expressions of GitHub Actions: secrets.ASSAY_KEY becomes ${ASSAY_KEY-}, and github.sha becomes ${GITHUB_SHA-}.
    [
      /\$\{\{ (?:(?:secrets|vars)\.)?([\w.]+) \}\}/g,
      (_, name = '') => `\${${name.toUpperCase().replaceAll('.', '_')}-}`,
    ],
  ]
  return (text) => table.reduce((text, [pattern, value]) => text.replace(pattern, value as string), text)
}

/** The variables that pages use without setting them. */
function variablesOf(
  folder: string,
  { programs, temporaryFiles, key, otherServices }: Environment,
): Record<string, string> {
  return {
    PATH: programs,
    HOME: folder,
    TMPDIR: temporaryFiles,
    DATA_VOLUME: join(folder, '/data'),
    KEY: key,
    ASSAY_KEY: key,
    OPENAI_API_KEY: 'sk-example',
    EVAL_ID: 'eval_67',
    RUN_ID: 'evalrun_68',
    PHOENIX_URL: otherServices,
    EXPERIMENT_ID: 'experiment-1',
    LANGFUSE_URL: otherServices,
    LANGFUSE_PUBLIC_KEY: 'pk-example',
    LANGFUSE_SECRET_KEY: 'sk-example',
    RUNNER_TEMP: folder,
    GITHUB_STEP_SUMMARY: join(folder, 'step-summary.md'),
    GITHUB_SHA: 'c0ffee',
    GITHUB_RUN_ID: '17',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_EVENT_PULL_REQUEST_BASE_SHA: 'c0ffee',
    CI_COMMIT_SHA: 'c0ffee',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: BASELINE_EVALUATION,
  }
}

const shells = new Set<ChildProcess>()
process.once('exit', () => shells.forEach(killGroup))

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All its processes have exited.
  }
}

async function runShell(
  args: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  // A process group of its own, so that a service of the page never outlives the test.
  const child = spawn('bash', args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  await once(child, 'spawn')
  shells.add(child)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  killGroup(child)
  shells.delete(child)
  return { code: child.exitCode, stdout, stderr }
}

function readExecuted(file: string): PageRun['executed'] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => text.split(' ').map(Number))
    .map(([line = 0, code = 0]) => ({ line, code }))
}

/** Matches the output that a page shows: … stands for any text. */
function outputPattern(text: string, substitute: (text: string) => string): RegExp {
  const parts = text.split('…').map((part) => RegExp.escape(substitute(part)))
  return new RegExp(`^${parts.join('.*')}$`, 'm')
}
