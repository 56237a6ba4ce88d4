// The list of commands, and how the arguments select one.
import { CommandError, UsageError } from '../errors.ts'
import { readSettings } from '../settings/settings.ts'
import { type Command, commandHelp } from './command.ts'
import { print } from './output/terminal-text.ts'

/** Modules are loaded on demand, so that small commands start fast. */
export const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serve,
  import: async () => (await import('./import.ts')).importFiles,
  export: async () => (await import('./export.ts')).exportEvaluation,
  compare: async () => (await import('./compare.ts')).compare,
  share: async () => (await import('./share.ts')).share,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  check: async () => (await import('./check.ts')).check,
  'keys create': async () => (await import('./keys.ts')).createKey,
  'keys list': async () => (await import('./keys.ts')).listKeys,
  'keys revoke': async () => (await import('./keys.ts')).revokeKey,
  'keys rotate': async () => (await import('./keys.ts')).rotateKey,
}

/** Throws CommandError on wrong usage, or any error of the command. */
export async function runCommand(argv: string[]): Promise<void> {
  const isHelp = argv.includes('--help') || argv.includes('-h')
  const name = readCommandName(argv)
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!load) {
    if (isHelp) return print(await formatOverview())
    throw unknownCommandError(argv)
  }
  const command = await load()
  if (isHelp) return print(commandHelp(name, command))
  try {
    const { settings, positionals } = readSettings(name, argv.slice(name.split(' ').length))
    const { argumentCount: [min, max] = [0, 0] } = command
    if (positionals.length < min || positionals.length > max) {
      const expected = describeArguments(max, command)
      throw new UsageError(`assay ${name} expects ${expected}, but got ${positionals.length}.`)
    }
    await command.run(settings, positionals)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const message = error.message.replaceAll('\n', ' ')
    throw new CommandError(message, `Run assay ${name} --help for the usage.`, 2)
  }
}

function describeArguments(max: number, { argumentNames, argumentHelp }: Command): string {
  if (max === 0) return 'no arguments'
  return argumentHelp ?? `${max === 1 ? 'one argument' : 'arguments'} (${argumentNames})`
}

/** The command name at the start of the arguments: two words if they name a command, otherwise one. */
function readCommandName(argv: string[]): string {
  const twoWords = argv.slice(0, 2).join(' ')
  return Object.hasOwn(COMMANDS, twoWords) ? twoWords : (argv[0] ?? '')
}

function unknownCommandError([firstWord = '', secondWord]: string[]): CommandError {
  if (firstWord === '')
    return new CommandError('The command is missing.', 'Run assay --help for the list of commands.', 2)
  const siblings = Object.keys(COMMANDS).filter((command) => command.startsWith(`${firstWord} `))
  const knownNames = siblings.length > 0 ? siblings : Object.keys(COMMANDS)
  const name = siblings.length > 0 && secondWord !== undefined ? `${firstWord} ${secondWord}` : firstWord
  return new CommandError(
    `Unknown command '${name.replaceAll('\n', ' ')}'.`,
    `Commands: ${knownNames.join(', ')}. Run assay --help for details.`,
    2,
  )
}

async function formatOverview(): Promise<string> {
  const loading = Object.entries(COMMANDS).map(async ([name, load]) => {
    const { argumentNames = '', summary } = await load()
    return `  ${`${name} ${argumentNames}`.padEnd(28)} ${summary}`
  })
  const lines = await Promise.all(loading)
  return [
    'Usage: assay COMMAND [settings]',
    '',
    ...lines,
    '',
    'Run assay COMMAND --help for the settings of a command.',
  ].join('\n')
}
