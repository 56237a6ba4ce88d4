// What a setting is, the kinds of values there are, and how each is read from what was typed.
import { availableParallelism } from 'node:os'
import { CommandError } from './errors.ts'

export interface Kinds {
  text: string
  list: string[]
  /** In plain digits. */
  whole: number
  /** From 0 up, with decimals or without. */
  number: number
  /** A whole number, or as many as the machine has cores where it says auto. */
  processes: number
  switch: boolean
  /** Milliseconds, written as 500ms, 30s, 5m, 24h or 30d. */
  duration: number
  /** Of http or https, kept without a slash at the end. */
  url: string
  /** Scheme, host and port of web pages, nothing behind them. */
  origins: string[]
}

export type Range = readonly [least: number, most: number]

export interface Setting {
  kind: keyof Kinds
  /** As it would be typed; undefined where the setting may stay open. */
  default: string | undefined
  /** What stands for the value in the help. */
  value?: string
  range?: Range
  help: string
  commands: readonly string[]
}

/** `source` is the flag or variable that the text came from, for the message. Throws CommandError. */
export function readValue(
  kind: keyof Kinds,
  source: string,
  text: string,
  range?: Range,
): Kinds[keyof Kinds] {
  switch (kind) {
    case 'text':
      return text
    case 'list':
      return parts(text)
    case 'whole':
      return readWhole(source, text, range)
    case 'processes':
      return text === 'auto' ? availableParallelism() : readWhole(source, text, range)
    case 'number':
      return readNumber(source, text)
    case 'switch':
      return readSwitch(source, text)
    case 'duration':
      return readDuration(source, text, range)
    case 'url':
      return readUrl(source, text).href.replace(/\/$/, '')
    case 'origins':
      return parts(text).map((part) => readOrigin(source, part))
  }
}

function parts(text: string): string[] {
  return text.split(',').filter((part) => part !== '')
}

function readWhole(
  source: string,
  text: string,
  [least, most]: Range = [0, Number.MAX_SAFE_INTEGER],
): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw wrongValue(source, text, `not a whole number from ${least} to ${most}`, 'Give it in plain digits.')
}

function readNumber(source: string, text: string): number {
  const value = Number(text)
  if (/^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number.isFinite(value)) return value
  throw wrongValue(
    source,
    text,
    'not a number such as 0, 0.02 or 1e-3',
    'It is from 0 up, with a digit before the point.',
  )
}

function readSwitch(source: string, text: string): boolean {
  if (/^(1|true|yes|on)$/i.test(text)) return true
  if (/^(0|false|no|off)$/i.test(text)) return false
  throw wrongValue(source, text, 'neither true nor false', 'Use 1 or 0.')
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export function readDuration(source: string, text: string, [least, most]: Range = [0, Infinity]): number {
  const [, count, unit] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(text) ?? []
  if (unit === undefined) {
    throw wrongValue(source, text, 'not a span of time', 'Write it as 30s, 5m, 24h or 30d.')
  }
  const value = Number(count) * UNITS[unit as keyof typeof UNITS]
  if (value >= least && value <= most) return value
  throw wrongValue(source, text, 'out of range', `It may be from ${least} ms to ${most / UNITS.h} h.`)
}

function readUrl(source: string, text: string): URL {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') return url
  throw wrongValue(source, text, 'not an address', 'Write it as https://evals.example.')
}

function readOrigin(source: string, text: string): string {
  const { origin } = readUrl(source, text)
  if (origin === text) return origin
  throw wrongValue(source, text, 'not an origin', `Write it as ${origin}.`)
}

function wrongValue(source: string, text: string, what: string, hint: string): CommandError {
  return new CommandError(`${source} is '${text.replaceAll('\n', ' ')}', which is ${what}.`, hint, 2)
}
