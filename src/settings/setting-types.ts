// The types of settings, and how each is parsed from text.
import { isIP, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import { CommandError } from '../errors.ts'

export interface SettingTypes {
  text: string
  /** The path of a local folder. */
  folder: string
  list: string[]
  /** Filters of rows, one per flag. They contain commas. */
  filters: string[]
  integer: number
  /** At least 0, with or without decimals. */
  number: number
  /** An integer, or `auto` for the number of CPU cores. */
  workers: number
  boolean: boolean
  /** Milliseconds, written as 500ms, 30s, 5m, 24h or 30d. */
  duration: number
  /** An http or https URL, stored without a trailing slash. */
  url: string
  /** Web origins: scheme, host and port. */
  origins: string[]
  /** The number of proxies that forward each request, or their addresses and CIDR ranges. */
  proxies: number | string[]
}

/** What joins the values of a flag that can be repeated. An argument cannot contain a null character. */
export const SEPARATORS: Readonly<Record<string, string>> = { list: ',', origins: ',', filters: '\0' }

export type Range = readonly [min: number, max: number]

export interface Setting {
  type: keyof SettingTypes
  /** As text, or undefined if the setting is optional. */
  default: string | undefined
  /** Stands for the value in the help, such as FILE. */
  placeholder: string | undefined
  range?: Range
  /** One text, or a text per command if they differ. */
  help: string | Readonly<Record<string, string>>
  commands: readonly string[]
  /** The commands that read the environment variable. Default: all commands of the setting. */
  variableCommands?: readonly string[]
}

/** What is not declared depends on the type. */
export type SettingDeclaration = Pick<Setting, 'type' | 'help' | 'range' | 'variableCommands'> & {
  default?: string
  placeholder?: string
  commands?: readonly string[]
}

type Parser<Value> = (source: string, text: string, range?: Range) => Value

/** How each type is parsed, and what its settings have unless they declare something else. */
const TYPES: {
  [Type in keyof SettingTypes]: { parse: Parser<SettingTypes[Type]>; default?: string; placeholder?: string }
} = {
  text: { parse: (_source, text) => text },
  folder: { parse: parseFolder, placeholder: 'DIR' },
  list: { parse: (_source, text) => splitList(text), default: '' },
  filters: {
    parse: (_source, text) => text.split('\0').filter((part) => part !== ''),
    default: '',
    placeholder: 'FILTER',
  },
  integer: { parse: parseInteger, placeholder: 'N' },
  number: { parse: parseNumber, placeholder: 'X' },
  workers: {
    parse: (source, text, range) =>
      text === 'auto' ? availableParallelism() : parseInteger(source, text, range),
    placeholder: 'N',
  },
  boolean: { parse: parseBoolean, default: 'false' },
  duration: { parse: parseDuration, placeholder: 'TIME' },
  url: { parse: (source, text) => parseUrl(source, text).href.replace(/\/$/, ''), placeholder: 'URL' },
  origins: {
    parse: (source, text) => splitList(text).map((part) => parseOrigin(source, part)),
    default: '',
    placeholder: 'ORIGIN',
  },
  proxies: { parse: parseProxies, placeholder: 'PROXIES' },
}

export function completeSettings<const Table extends Record<string, SettingDeclaration>>(
  table: Table,
): { [Name in keyof Table]: Table[Name] & Setting } {
  const entries = Object.entries(table).map(([name, setting]) => {
    const { parse: _, ...typeDefaults } = TYPES[setting.type]
    return [name, { commands: ['serve'], ...typeDefaults, ...setting }]
  })
  return Object.fromEntries(entries)
}

/** Parses the text of a flag or variable. `source` is its name, for the message of the CommandError it can throw. */
export function parseSetting(source: string, setting: Setting, text = setting.default): unknown {
  return text === undefined ? undefined : TYPES[setting.type].parse(source, text, setting.range)
}

function splitList(text: string): string[] {
  return text.split(',').filter((part) => part !== '')
}

/** A URL would otherwise create a folder of that name. It can contain a password, so the message shows only its scheme. */
function parseFolder(source: string, text: string): string {
  const [, scheme] = /^(https?:|sqlite:|postgres(?:ql)?:|[a-z][a-z0-9+.-]+:(?=\/\/))/i.exec(text) ?? []
  if (scheme === undefined) return text
  const hint = /^https?:/i.test(scheme)
    ? 'To work on a running service, use --url and ASSAY_KEY if the command supports them.'
    : 'Use --database for sqlite: and postgres:// URLs.'
  throw new CommandError(`${source} is a URL (${scheme}…), but must be a local folder.`, hint, 2)
}

function parseInteger(
  source: string,
  text: string,
  [min, max]: Range = [0, Number.MAX_SAFE_INTEGER],
): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw invalidValue(source, text, 'not valid', `Use an integer from ${min} to ${max}.`)
}

function parseNumber(source: string, text: string, [min, max]: Range = [0, Number.MAX_VALUE]): number {
  const value = Number(text)
  if (/^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && value >= min && value <= max) return value
  throw invalidValue(
    source,
    text,
    'not a number such as 0, 0.02 or 1e-3',
    `It must be ${max < Number.MAX_VALUE ? `from ${min} to ${max}` : 'at least 0'}, with a digit before the decimal point.`,
  )
}

function parseBoolean(source: string, text: string): boolean {
  if (/^(1|true|yes|on)$/i.test(text)) return true
  if (/^(0|false|no|off)$/i.test(text)) return false
  throw invalidValue(source, text, 'neither true nor false', 'Use true or false.')
}

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export function parseDuration(source: string, text: string, [min, max]: Range = [0, Infinity]): number {
  const [, count, unit] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(text) ?? []
  if (unit === undefined) {
    throw invalidValue(source, text, 'not a duration', 'Write it as 500ms, 30s, 5m, 24h or 30d.')
  }
  const value = Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
  if (value >= min && value <= max) return value
  throw invalidValue(source, text, 'out of range', `It must be from ${min} ms to ${max / UNIT_MS.h} h.`)
}

function parseUrl(source: string, text: string): URL {
  const url = URL.parse(text)
  const isHttpUrl = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (isHttpUrl && !url.pathname.includes('//')) return url
  throw invalidValue(
    source,
    text,
    'not an HTTP URL without query, fragment and empty path segments',
    'Write it as https://evals.example.',
  )
}

function parseOrigin(source: string, text: string): string {
  const { origin } = parseUrl(source, text)
  if (origin === text) return origin
  throw invalidValue(source, text, 'not an origin', `Write it as ${origin}.`)
}

const PROXIES_HINT =
  'Write how many proxies forward each request, such as 1, or their addresses, such as 127.0.0.1,10.0.0.0/8. Without proxies, omit it.'

function parseProxies(source: string, text: string): number | string[] {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  const proxies = text.split(',').map((part) => part.trim())
  if (proxies.every(isAddressOrRange)) return proxies
  throw invalidValue(
    source,
    text,
    'neither a number of proxies from 1 to 99 nor a list of addresses',
    PROXIES_HINT,
  )
}

/** A range of all addresses is not allowed: it would trust every client. */
function isAddressOrRange(text: string): boolean {
  const [, address = '', prefix] = /^([\d.:a-f]+)(?:\/([1-9]\d*))?$/i.exec(text) ?? []
  return isIP(address) !== 0 && Number(prefix ?? 1) <= (isIPv6(address) ? 128 : 32)
}

function invalidValue(source: string, text: string, problem: string, hint: string): CommandError {
  return new CommandError(`${source} is '${text.replaceAll('\n', ' ')}', which is ${problem}.`, hint, 2)
}
