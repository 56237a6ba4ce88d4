// Builds the page into web/dist: npm run build, and npm start before it serves. What is built of the same sources already
// is left alone, without even loading the bundler. Says what it has to say on standard error.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const WEB = import.meta.dirname
const ROOT = join(WEB, '..')
const DIST = join(WEB, 'dist')
/** In what is built: what it was built of. */
const DIGEST = '.digest'
const TEMPORARY = '.dist-'

/** Everything that decides how the page looks. */
const SOURCES = ['web', 'client']
const LOCK = 'package-lock.json'
const NO_SOURCES = /^(?:dist|\.dist-.*|node_modules|tests?|.*\.test\.tsx?)$/

async function build(): Promise<void> {
  const digest = digestOf([...SOURCES.flatMap(filesOf), LOCK])
  if (isBuiltOf(digest)) return
  const vite = await loadVite()
  if (!vite) return
  say('Building the page …')
  const temporary = mkdtempSync(join(WEB, TEMPORARY))
  try {
    const configFile = join(WEB, 'vite.config.ts')
    const output = { outDir: temporary, emptyOutDir: true }
    await vite.build({ configFile, configLoader: 'native', logLevel: 'warn', build: output })
    writeFileSync(join(temporary, DIGEST), digest)
    // Somebody else may have built it meanwhile, for a service that reads it now.
    if (!isBuiltOf(digest)) putInPlace(temporary)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Of the names and contents of all files. */
function digestOf(names: string[]): string {
  const hash = createHash('sha256')
  for (const name of names) {
    const bytes = readFileSync(join(ROOT, name))
    hash.update(`${name}\n${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => !NO_SOURCES.test(entry.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesOf(path) : [path]
    })
}

function isBuiltOf(digest: string): boolean {
  const file = join(DIST, DIGEST)
  return existsSync(file) && readFileSync(file, 'utf8') === digest
}

/** Undefined where it is not installed, as without the dependencies for working on Assay. */
async function loadVite() {
  try {
    return await import('vite')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
  }
  const remedy = 'npm ci installs what builds it.'
  if (existsSync(DIST)) {
    say(`The page in web/dist is of other sources than these, and is served as it is. ${remedy}`)
  } else {
    say(`The page is not built, and is not served. ${remedy}`)
    process.exitCode = 1
  }
}

function putInPlace(temporary: string): void {
  const replaced = `${temporary}-replaced`
  try {
    if (existsSync(DIST)) renameSync(DIST, replaced)
    renameSync(temporary, DIST)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // Another process was faster, and what it has built is as good.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error
  } finally {
    rmSync(replaced, { recursive: true, force: true })
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

await build()
