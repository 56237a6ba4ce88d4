// The commands, and which of them the arguments name.
import { CommandError } from '../errors.ts'
import { readSettings, wrongUse } from '../settings.ts'
import { type Command, commandHelp, print } from './command.ts'

/** Loaded when called, so that a small command starts fast. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serve,
  import: async () => (await import('./import.ts')).importFiles,
  export: async () => (await import('./export.ts')).exportEvaluation,
  compare: async () => (await import('./compare.ts')).compare,
  share: async () => (await import('./share.ts')).share,
  backup: async () => (await import('./backup.ts')).backup,
  check: async () => (await import('./check.ts')).check,
  'keys create': async () => (await import('./keys.ts')).createKey,
  'keys list': async () => (await import('./keys.ts')).listKeys,
  'keys revoke': async () => (await import('./keys.ts')).revokeKey,
  'keys rotate': async () => (await import('./keys.ts')).rotateKey,
}

/** Throws CommandError, or whatever the command throws. */
export async function runCommand(argv: string[]): Promise<void> {
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
  if (positionals.length < least || positionals.length > most)
    throw wrongUse(`assay ${name} takes ${expectedWords(command)}; it got ${positionals.length}.`, name)
  await command.run(settings, positionals)
}

function expectedWords({ words: [, most], takes, expects }: Command): string {
  if (most === 0) return 'no further word'
  return expects ?? `${most === 1 ? 'one word' : 'words'}, ${takes}`
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
