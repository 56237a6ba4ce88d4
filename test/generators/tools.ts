// Runs tools of others for npm run test:generators and similar commands, and installs them in a cache folder.
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A program and its arguments. */
export type Command = string[]

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/generators', import.meta.url))

/** The folder of a tool. It remains for the next run. */
export function toolFolder(name: string): string {
  return join(CACHE, name)
}

/** Commands that install packages from PyPI in a virtual environment. */
export function pipInstall(versions: Record<string, string>): Command[] {
  const packages = Object.entries(versions).map(([name, version]) => `${name}==${version}`)
  return [
    ['python3', '-m', 'venv', '.venv'],
    [...venvCommand('pip'), 'install', '--quiet', '--disable-pip-version-check', ...packages],
  ]
}

export function venvCommand(name: string): Command {
  return [join('.venv', 'bin', name)]
}

/** The first of the programs that is not installed. */
export function missingTool(names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.find((name) => !folders.some((folder) => isExecutable(join(folder, name))))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Installs a tool in its folder, unless an earlier run did the same. Then writes the files of the folder. */
export async function installTool(
  name: string,
  commands: Command[],
  files: Record<string, string> = {},
): Promise<void> {
  const folder = toolFolder(name)
  const stamp = join(folder, '.installed')
  const { 'package.json': packageJson = '' } = files
  const content = JSON.stringify([commands, packageJson])
  const isInstalled = readIfPresent(stamp) === content
  if (!isInstalled) rmSync(folder, { recursive: true, force: true })
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  mkdirSync(folder, { recursive: true })
  if (isInstalled) return
  await runCommands(commands, folder)
  writeFileSync(stamp, content)
}

/** Downloads a Node version and returns the program. */
export async function downloadNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  const folder = `node-${version}`
  await installTool(folder, [['npm', 'install', '--no-save', '--prefix', '.', `${name}@${version}`]])
  return join(toolFolder(folder), 'node_modules', name, 'bin/node')
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Runs commands one after the other. Throws an error with the output of the first one that fails. */
export async function runCommands(commands: Command[], cwd: string): Promise<void> {
  for (const command of commands) {
    const { code, output } = await runCommand(command, cwd)
    if (code !== 0)
      throw new Error(`${command.join(' ')} failed:\n${output.split('\n').slice(-30).join('\n')}`)
  }
}

function runCommand(
  [program = '', ...args]: Command,
  cwd: string,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output: output.trimEnd() }))
  })
}
