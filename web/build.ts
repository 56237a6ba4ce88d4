// Builds the page into web/dist, for npm run build and npm start. Skips the build, without loading Vite, if the sources have
// not changed. Writes messages to standard error.
import { createHash } from 'node:crypto'
import {
  chmodSync,
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
/** File in web/dist with the digest of the sources it was built from. */
const DIGEST_FILE = '.digest'
const TEMP_PREFIX = '.dist-'

/** Everything that affects the build. Import formats and filters come from src. */
const SOURCES = ['web', 'client', 'src/import', 'src/schema']
const LOCK = 'package-lock.json'
const EXCLUDED_NAMES = /^(?:dist|\.dist-.*|node_modules|tests?|.*\.test\.tsx?)$/

async function build(): Promise<void> {
  const digest = digestOf([...SOURCES.flatMap(filesOf), LOCK])
  if (isUpToDate(digest)) return
  const vite = await loadVite()
  if (!vite) return
  log('Building the page …')
  const temporary = mkdtempSync(join(WEB, TEMP_PREFIX))
  try {
    const configFile = join(WEB, 'vite.config.ts')
    const output = { outDir: temporary, emptyOutDir: true }
    await vite.build({ configFile, configLoader: 'native', logLevel: 'warn', build: output })
    writeFileSync(join(temporary, DIGEST_FILE), digest)
    makeReadable(temporary)
    // Another process may have built it in the meantime, and a service may be reading it.
    if (!isUpToDate(digest)) replaceDist(temporary)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Hashes the names and contents of all files. */
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
    .filter((entry) => !EXCLUDED_NAMES.test(entry.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesOf(path) : [path]
    })
}

function isUpToDate(digest: string): boolean {
  const file = join(DIST, DIGEST_FILE)
  return existsSync(file) && readFileSync(file, 'utf8') === digest
}

/** Returns undefined if Vite is not installed: it is a development dependency. */
async function loadVite() {
  try {
    return await import('vite')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
  }
  const remedy = 'Run npm ci to install the build tools.'
  if (existsSync(DIST)) {
    log(`The page in web/dist is out of date and is served as it is. ${remedy}`)
  } else {
    log(`The page is not built and cannot be served. ${remedy}`)
    process.exitCode = 1
  }
}

/** Another user can run the service. The temporary folder is private, and the umask can make its files private too. */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) makeReadable(path)
    else chmodSync(path, 0o644)
  }
}

function replaceDist(temporary: string): void {
  const replaced = `${temporary}-replaced`
  try {
    if (existsSync(DIST)) renameSync(DIST, replaced)
    renameSync(temporary, DIST)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // Another process replaced it first, with the same build.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error
  } finally {
    rmSync(replaced, { recursive: true, force: true })
  }
}

function log(line: string): void {
  process.stderr.write(`${line}\n`)
}

try {
  await build()
} catch (error) {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error
  log(`The page cannot be built: ${message}. Run npm run build as the owner of this folder.`)
  process.exitCode = 1
}
