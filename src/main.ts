#!/usr/bin/env node
// The command line: finds the command that the arguments name, runs it, and turns failures into two lines
// and an exit code. The only place that ends the process.
import { enableCompileCache } from 'node:module'
import { type Command, commandHelp, print } from './cli/command.ts'
import { CommandError, Problem } from './errors.ts'
import { readSettings, wrongUse } from './settings.ts'

enableCompileCache()

/** Loaded when called, so that a small command starts fast. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./cli/serve.ts')).serve,
  import: async () => (await import('./cli/import.ts')).importFiles,
  export: async () => (await import('./cli/export.ts')).exportEvaluation,
  backup: async () => (await import('./cli/backup.ts')).backup,
  check: async () => (await import('./cli/check.ts')).check,
  'keys create': async () => (await import('./cli/keys.ts')).createKey,
  'keys list': async () => (await import('./cli/keys.ts')).listKeys,
  'keys revoke': async () => (await import('./cli/keys.ts')).revokeKey,
  'keys rotate': async () => (await import('./cli/keys.ts')).rotateKey,
}

async function main(argv: string[]): Promise<void> {
  const isHelp = argv.includes('--help') || argv.includes('-h')
  const name = commandName(argv)
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!load) {
    if (isHelp) return print(await overview())
    throw unknownCommand(argv)
  }
  const command = await load()
  if (isHelp) return print(commandHelp(command))
  const { settings, positionals } = readSettings(name, argv.slice(name.split(' ').length))
  const [least, most] = command.words
  if (positionals.length < least || positionals.length > most) {
    const expected = most === 0 ? 'no further word' : `${most === 1 ? 'one word' : 'words'}, ${command.takes}`
    throw wrongUse(`assay ${name} takes ${expected}; it got ${positionals.length}.`, name)
  }
  await command.run(settings, positionals)
}

/** The longest run of leading words that names a command. */
function commandName(argv: string[]): string {
  const two = argv.slice(0, 2).join(' ')
  return Object.hasOwn(COMMANDS, two) ? two : (argv[0] ?? '')
}

function unknownCommand([first = '', second]: string[]): CommandError {
  if (first === '') return new CommandError('No command is named.', 'assay --help lists the commands.', 2)
  const siblings = Object.keys(COMMANDS).filter((name) => name.startsWith(`${first} `))
  const known = siblings.length > 0 ? siblings : Object.keys(COMMANDS)
  const given = siblings.length > 0 && second !== undefined ? `${first} ${second}` : first
  return new CommandError(
    `assay has no command '${given.replaceAll('\n', ' ')}'.`,
    `Commands: ${known.join(', ')}. assay --help says more.`,
    2,
  )
}

async function overview(): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()))
  const lines = commands.map(
    ({ name, takes, summary }) => `  ${`${name} ${takes ?? ''}`.padEnd(22)} ${summary}`,
  )
  return [
    'Usage: assay COMMAND [settings]',
    '',
    ...lines,
    '',
    'assay COMMAND --help lists its settings.',
  ].join('\n')
}

function report(error: unknown): 1 | 2 {
  if (error instanceof CommandError) {
    process.stderr.write(`assay: ${error.message}\n${error.hint}\n`)
    return error.exitCode
  }
  if (error instanceof Problem) {
    process.stderr.write(
      `assay: ${error.message}\nIf it stays so, look at the store's disk and at what else uses it.\n`,
    )
    return 1
  }
  if ((error as NodeJS.ErrnoException).syscall === 'write') {
    process.stderr.write(`assay: Cannot write: ${(error as Error).message}\nCheck that there is room.\n`)
    return 1
  }
  process.stderr.write(
    `assay: ${error instanceof Error ? error.stack : String(error)}\nThis is a fault in Assay.\n`,
  )
  return 1
}

// Whoever reads the output may stop before it ends, as head does; a service lives on.
let unwritten: NodeJS.ErrnoException | undefined
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') unwritten ??= error
})
try {
  await main(process.argv.slice(2))
  await new Promise((resolve) => process.stdout.write('', resolve))
  if (unwritten) throw unwritten
  process.exit(0)
} catch (error) {
  process.exit(report(error))
}
