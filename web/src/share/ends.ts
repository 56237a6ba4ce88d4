// When a link ends: so many days from now, or with a day that somebody names; with the key that makes it at the latest.
const DAY_MS = 86_400_000

/** How long, as the form has it: days, or 'date'. */
export const LENGTHS = [
  ['1', 'in 1 day'],
  ['7', 'in 7 days'],
  ['30', 'in 30 days'],
  ['date', 'on a date'],
] as const

interface Asked {
  length: string
  /** A day as a date field has it. */
  day: string
  /** When the key that asks ends. */
  latest: string | null
}

export interface End {
  time: string
  isWithKey: boolean
}

/** Undefined until a day is named. */
export function endOf({ length, day, latest }: Asked, now = Date.now()): End | undefined {
  // The last moment of the day where the person is.
  const end = length === 'date' ? Date.parse(`${day}T23:59:59`) : now + Number(length) * DAY_MS
  if (Number.isNaN(end)) return undefined
  const isWithKey = latest !== null && Date.parse(latest) < end
  return { time: isWithKey ? latest : new Date(end).toISOString(), isWithKey }
}

/** The present day where the person is, as a date field has it. */
export function today(now = new Date()): string {
  const digits = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${digits(now.getMonth() + 1)}-${digits(now.getDate())}`
}
