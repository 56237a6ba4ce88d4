// Runs the steps of the Dockerfile without Docker: in empty folders, as a user without rights, with the Node of the checkout. Then
// starts the service as the image does, and runs its health check. For npm run test:dockerfile.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, unprivilegedUser } from '../postgres/server-folder.ts'
import { npmEnvironment } from '../support/npm-environment.ts'
import { isIgnored, parseDockerfile, type Stage, splitWords } from './dockerfile-parser.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const user = unprivilegedUser()

/** A stage while its steps run. Its paths are below `root`. */
interface Build {
  root: string
  workdir: string
  env: Record<string, string>
}

const readText = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const temporary = mkdtempSync(join(tmpdir(), 'assay-dockerfile-'))
chmodSync(temporary, 0o755)
try {
  const builds = new Map<string, Build>()
  let lastBuild: Build | undefined
  const stages = parseDockerfile(readText('Dockerfile'))
  for (const [index, stage] of stages.entries()) {
    lastBuild = buildStage(stage, join(temporary, `stage-${index}`), builds)
    builds.set(stage.name ?? String(index), lastBuild)
  }
  const lastStage = stages.at(-1)
  assert.ok(lastStage && lastBuild)
  await checkService(lastStage, lastBuild)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

function buildStage({ image, steps }: Stage, root: string, builds: Map<string, Build>): Build {
  print(`FROM ${image}`)
  const build: Build = { root, workdir: '/', env: {} }
  createFolder(root)
  createFolder(join(root, 'home'))
  for (const { instruction, text } of steps) {
    const startTime = performance.now()
    if (instruction === 'WORKDIR') {
      build.workdir = resolve(build.workdir, text)
      createFolder(join(root, build.workdir))
    } else if (instruction === 'ENV') {
      for (const word of splitWords(text)) build.env[word.split('=')[0] ?? ''] = word.replace(/^[^=]*=/, '')
    } else if (instruction === 'COPY') {
      copy(build, text, builds)
    } else if (instruction === 'RUN') {
      execFileSync('sh', ['-c', withRoot(text, build)], { ...processOptions(build), stdio: 'inherit' })
    }
    print(`${instruction} ${text} (${((performance.now() - startTime) / 1000).toFixed(1)} s)`)
  }
  return build
}

/** Copies from the checkout, without ignored files, or from another stage. */
function copy(build: Build, text: string, builds: Map<string, Build>): void {
  const words = splitWords(text)
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const paths = words.filter((word) => !word.startsWith('--'))
  const target = paths.pop() ?? ''
  const targetPath = join(build.root, resolve(build.workdir, target))
  for (const path of paths) {
    const source = from === undefined ? join(ROOT, path) : join(builds.get(from)?.root ?? '', path)
    const isFolder = statSync(source).isDirectory()
    const destination = target.endsWith('/') && !isFolder ? join(targetPath, basename(source)) : targetPath
    createFolder(isFolder ? destination : dirname(destination))
    cpSync(source, destination, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => from !== undefined || !isIgnored(file.slice(ROOT.length), readText('.dockerignore')),
    })
  }
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, build.root])
}

/** Starts the service like the image, and waits until its health check succeeds. */
async function checkService({ steps }: Stage, build: Build): Promise<void> {
  const last = (name: string) => steps.findLast(({ instruction }) => instruction === name)?.text ?? ''
  assert.match(last('USER'), /^(?!root|0)\w+$/, 'the service does not run as root')
  const healthCheck = JSON.parse(last('HEALTHCHECK').replace(/^.*?CMD /s, '')) as string[]
  const [command = '', ...args] = [...JSON.parse(last('ENTRYPOINT')), ...JSON.parse(last('CMD'))] as string[]
  // Port 8080 of this machine can be in use.
  const port = String(await freePort())
  const env: Record<string, string> = { ...build.env, ASSAY_PORT: port }
  for (const [name, value] of Object.entries(env)) env[name] = withRoot(value, build)
  const options = processOptions({ ...build, env })
  const [executable = ''] = globSync(join(build.root, 'usr/local/bin', command))
  assert.ok(executable, `${command} is not installed`)
  const service = spawn(executable, args, { ...options, stdio: 'inherit' })
  try {
    for (let attempt = 1; !isHealthy(healthCheck, options); attempt += 1) {
      assert.equal(service.exitCode, null, 'the service has exited')
      assert.ok(attempt < 100, 'the health check does not succeed')
    }
    const { status } = await fetch(`http://127.0.0.1:${port}/`)
    assert.equal(status, 200, 'the page is not served')
    print(`The service is healthy. Its folder has ${folderSize(build.root)} MB.`)
  } finally {
    service.kill('SIGTERM')
    if (service.exitCode === null) await once(service, 'exit')
  }
  assert.equal(service.exitCode, 0, 'the service does not stop')
  assert.ok(!isHealthy(healthCheck, options), 'the health check succeeds without a service')
}

function isHealthy([command = '', ...args]: string[], options: object): boolean {
  try {
    execFileSync(command, args, { ...options, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The Node of the checkout is first on the PATH, because the Node of the machine can be older than that of the image. */
function processOptions({ root, workdir, env }: Build) {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  return {
    cwd: join(root, workdir),
    env: { ...npmEnvironment(join(root, 'home')), PATH, ...env },
    ...user,
  }
}

/** Moves absolute paths below the root of the stage. */
function withRoot(text: string, { root }: Build): string {
  return text.replace(/(?<=^|[\s='"])\/(?=\w)/g, `${root}/`)
}

function createFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true })
  for (let folder = path; first && user && folder.startsWith(first); folder = dirname(folder))
    chownSync(folder, user.uid, user.gid)
}

function folderSize(folder: string): number {
  return Math.round(Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1024)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
