// Reads settings from the arguments and the environment: a flag wins over the variable, the variable over the
// default.
import { parseArgs } from 'node:util'
import { CommandError } from './errors.ts'
import { type Kinds, readValue, type Setting } from './setting-kinds.ts'
import { SETTINGS } from './setting-table.ts'

type Name = keyof typeof SETTINGS
type ValueOf<N extends Name> = (typeof SETTINGS)[N]['default'] extends undefined
  ? Kinds[(typeof SETTINGS)[N]['kind']] | undefined
  : Kinds[(typeof SETTINGS)[N]['kind']]
export type Settings = { -readonly [N in Name]: ValueOf<N> }

export function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`
}

export function variableOf(name: string): string {
  return `ASSAY_${name.toUpperCase()}`
}

/** What may be given, in words, where not everything of the kind may. */
export function rangeText({ kind, range }: Setting): string {
  if (!range) return ''
  const [least, most] = range
  return kind === 'duration' ? ` At most ${most / 3_600_000}h.` : ` From ${least} to ${most}.`
}

/** The settings a command takes, in the order of the table. */
export function settingsOf(command: string): [name: string, setting: Setting][] {
  return Object.entries<Setting>(SETTINGS).filter(([, { commands }]) => commands.includes(command))
}

/** All settings at their defaults. */
export function defaultSettings(): Settings {
  const entries = Object.entries<Setting>(SETTINGS).map(([name, setting]) => [name, parse(name, setting)])
  return Object.fromEntries(entries) as Settings
}

/** Reads the arguments behind a command's name and the environment. Throws CommandError on wrong use. */
export function readSettings(
  command: string,
  argv: string[],
  environment: NodeJS.ProcessEnv = process.env,
): { settings: Settings; positionals: string[] } {
  const { flags, positionals } = readFlags(command, argv)
  const settings: Record<string, unknown> = defaultSettings()
  for (const [name, setting] of settingsOf(command)) {
    if (flags[name] === '') throw wrongUse(`${flagOf(name)} is empty.`, command)
    const variable = environment[variableOf(name)]
    const given = flags[name] ?? (variable === '' ? undefined : variable)
    if (given === undefined) continue
    const source = flags[name] === undefined ? variableOf(name) : flagOf(name)
    settings[name] = parse(source, setting, given)
  }
  return { settings: settings as Settings, positionals }
}

function readFlags(command: string, argv: string[]) {
  const known = settingsOf(command)
  const options = Object.fromEntries(
    known.map(([name, { kind }]) => [
      flagOf(name).slice(2),
      {
        type: kind === 'switch' ? ('boolean' as const) : ('string' as const),
        multiple: kind === 'list' || kind === 'origins',
      },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true })
    const flags: Record<string, string | undefined> = {}
    for (const [name] of known) {
      const value = values[flagOf(name).slice(2)]
      if (value !== undefined) flags[name] = String(value)
    }
    return { flags, positionals }
  } catch (error) {
    refuseDashed(argv, known)
    const message = error instanceof Error ? error.message : String(error)
    throw wrongUse(`${message.split('. ')[0]?.replace(/\.$/, '')}.`, command)
  }
}

/** Of a value that begins with a dash, such as -1, the parser only says that it might be a flag. */
function refuseDashed(argv: string[], known: [name: string, setting: Setting][]): void {
  for (const [name, setting] of known) {
    const value = argv[argv.indexOf(flagOf(name)) + 1]
    if (argv.includes(flagOf(name)) && /^-[\d.]/.test(value ?? '')) parse(flagOf(name), setting, value)
  }
}

/** How large and how deep what is written may be. */
export function recordLimits({ max_record_bytes, max_depth, max_members }: Settings) {
  return { record_bytes: max_record_bytes, depth: max_depth, members: max_members }
}

export function wrongUse(message: string, command: string): CommandError {
  return new CommandError(message.replaceAll('\n', ' '), `assay ${command} --help lists what it takes.`, 2)
}

function parse(source: string, { kind, range, default: usual }: Setting, text = usual): unknown {
  return text === undefined ? undefined : readValue(kind, source, text, range)
}
