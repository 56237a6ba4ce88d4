// Reads settings from flags and environment variables. A flag overrides the variable, the variable the default.
import { parseArgs } from 'node:util'
import { CommandError, UsageError } from '../errors.ts'
import { findNearest } from './nearest.ts'
import { LOCAL_COMMANDS, SETTINGS } from './setting-table.ts'
import { parseSetting, SEPARATORS, type Setting, type SettingTypes } from './setting-types.ts'

type ValueOf<S extends Setting> = S extends
  | { default: string }
  | { type: 'boolean' | 'list' | 'origins' | 'filters' }
  ? SettingTypes[S['type']]
  : SettingTypes[S['type']] | undefined
export type Settings = { -readonly [N in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[N]> }

export function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`
}

export function variableOf(name: string): string {
  return `ASSAY_${name.toUpperCase()}`
}

/** Whether a command reads the environment variable of a setting. */
export function readsVariable({ commands, variableCommands = commands }: Setting, command: string): boolean {
  return variableCommands.includes(command)
}

/** The allowed range as a sentence for help texts. Empty for settings without a range. */
export function describeRange({ type, range }: Setting): string {
  if (!range) return ''
  const [min, max] = range
  return type === 'duration' ? ` At most ${max / 3_600_000}h.` : ` From ${min} to ${max}.`
}

/** The help text of a setting for one command. */
export function helpOf({ help }: Setting, command: string): string {
  return typeof help === 'string' ? help : (help[command] ?? '')
}

/** The settings of a command, in the order of the table. */
export function settingsOf(command: string): [name: string, setting: Setting][] {
  return Object.entries<Setting>(SETTINGS).filter(([, { commands }]) => commands.includes(command))
}

/** All settings with their default values. */
export function defaultSettings(): Settings {
  const entries = Object.entries<Setting>(SETTINGS).map(([name, setting]) => [
    name,
    parseSetting(name, setting),
  ])
  return Object.fromEntries(entries) as Settings
}

/** Reads the arguments after the command name and the environment. Throws UsageError or CommandError on wrong usage. */
export function readSettings(
  command: string,
  argv: string[],
  environment: NodeJS.ProcessEnv = process.env,
): { settings: Settings; positionals: string[] } {
  if ((LOCAL_COMMANDS as readonly string[]).includes(command)) rejectUrl(command, argv, environment)
  const { flags, positionals } = readFlags(command, argv)
  const ignoredName = chooseStoreOrService(command, flags, environment)
  const settings: Record<string, unknown> = defaultSettings()
  for (const [name, setting] of settingsOf(command)) {
    if (name === ignoredName) continue
    if (flags[name] === '') throw new UsageError(`${flagOf(name)} is empty.`)
    const variable = readsVariable(setting, command) ? environment[variableOf(name)] : undefined
    const text = flags[name] ?? (variable === '' ? undefined : variable)
    if (text === undefined) continue
    const source = flags[name] === undefined ? variableOf(name) : flagOf(name)
    settings[name] = parseSetting(source, setting, text)
  }
  return { settings: settings as Settings, positionals }
}

/** Throws if --url or its variable is set for a command that works on a local store only. */
function rejectUrl(command: string, argv: string[], environment: NodeJS.ProcessEnv): void {
  const hasFlag = (name: string) => argv.some((arg) => arg === name || arg.startsWith(`${name}=`))
  const namesStore = STORE_SETTINGS.some((name) => hasFlag(flagOf(name)) || environment[variableOf(name)])
  if (!hasFlag('--url') && (namesStore || !environment.ASSAY_URL)) return
  throw new CommandError(
    `assay ${command} works on a local store only, but ${hasFlag('--url') ? '--url' : 'ASSAY_URL'} is set.`,
    'Run it on the machine of the service, and name the store with --data or --database.',
    2,
  )
}

const STORE_SETTINGS = ['data', 'database']
/** Settings of a local store or of links to it, which a service has already. */
const LOCAL_SETTINGS = ['statement_timeout', 'max_record_bytes'] as const

/**
 * A command works either on a store or on a service. A flag decides over the variable of the other. Returns the setting
 * to ignore. Throws UsageError if both are named in the same way.
 */
function chooseStoreOrService(
  command: string,
  flags: Record<string, string | undefined>,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const isRemote = settingsOf(command).some(([name]) => name === 'url')
  if (!isRemote) return undefined
  if (flags.url === undefined && !environment.ASSAY_URL) {
    rejectKeyWithoutUrl(flags, environment)
    return undefined
  }
  const storeFlag = STORE_SETTINGS.find((name) => flags[name] !== undefined)
  const storeVariable = STORE_SETTINGS.find((name) => environment[variableOf(name)])
  if (flags.url === undefined && storeFlag !== undefined) return 'url'
  if (storeFlag !== undefined) throw new UsageError(`--url and ${flagOf(storeFlag)} cannot be combined.`)
  if (flags.url === undefined && storeVariable !== undefined)
    throw new UsageError(`ASSAY_URL and ${variableOf(storeVariable)} are both set. Use a flag to choose one.`)
  if (flags.project !== undefined)
    throw new UsageError('--project cannot be combined with a service: the API key determines the project.')
  const localFlag = LOCAL_SETTINGS.find((name) => flags[name] !== undefined)
  if (localFlag !== undefined)
    throw new UsageError(`${flagOf(localFlag)} works on a local store only: a service has its own settings.`)
  return undefined
}

/** Without this check, a command with a forgotten URL would use the default store, and create it. */
function rejectKeyWithoutUrl(
  flags: Record<string, string | undefined>,
  environment: NodeJS.ProcessEnv,
): void {
  if (STORE_SETTINGS.some((name) => flags[name] !== undefined || environment[variableOf(name)])) return
  if (flags.key !== undefined) throw new UsageError('--key needs the URL of a service. Set ASSAY_URL.')
  // A CI variable that does not exist is empty.
  if (environment.ASSAY_URL === '' && environment.ASSAY_KEY)
    throw new UsageError('ASSAY_KEY is set, but ASSAY_URL is empty. Set it to the URL of the service.')
}

function readFlags(command: string, argv: string[]) {
  const settings = settingsOf(command)
  const options = Object.fromEntries(
    settings.map(([name, { type }]) => [
      flagOf(name).slice(2),
      {
        type: type === 'boolean' ? ('boolean' as const) : ('string' as const),
        multiple: type in SEPARATORS,
      },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true })
    const flags: Record<string, string | undefined> = {}
    for (const [name, { type }] of settings) {
      const value = values[flagOf(name).slice(2)]
      if (value !== undefined) flags[name] = [value].flat().join(SEPARATORS[type])
    }
    return { flags, positionals }
  } catch (error) {
    rejectNegativeNumbers(argv, settings)
    const message = error instanceof Error ? error.message : String(error)
    const [, unknownFlag = ''] = /^Unknown option '(--[^']*)'/.exec(message) ?? []
    const nearest = findNearest(
      unknownFlag,
      settings.map(([name]) => flagOf(name)),
    )
    const hint = nearest === undefined || unknownFlag === '' ? '' : ` Did you mean ${nearest}?`
    throw new UsageError(`${message.split('. ')[0]?.replace(/\.$/, '')}.${hint}`)
  }
}

/** parseArgs treats a value such as -1 as a flag. Reports that the value is invalid instead. */
function rejectNegativeNumbers(argv: string[], settings: [name: string, setting: Setting][]): void {
  for (const [name, setting] of settings) {
    const value = argv[argv.indexOf(flagOf(name)) + 1]
    if (argv.includes(flagOf(name)) && /^-[\d.]/.test(value ?? '')) parseSetting(flagOf(name), setting, value)
  }
}

export interface LimitDescription {
  /** As in the flag, without dashes at the start. */
  name: string
  default: string
  help: string
}

/** The settings that limit what clients can do, for the API reference and the OpenAPI document. */
export function listLimits(): LimitDescription[] {
  return settingsOf('serve')
    .filter(([name]) => /^max_|_timeout$/.test(name))
    .map(([name, setting]) => ({
      name: flagOf(name).slice(2),
      default: String(setting.default),
      help: helpOf(setting, 'serve'),
    }))
}
