// The expiry of a share link: a number of days from now or a date, but not after that of the key that creates it.
const DAY_MS = 86_400_000

/** Options of the form: a number of days, or 'date'. */
export const LIFETIMES = [
  ['1', 'in 1 day'],
  ['7', 'in 7 days'],
  ['30', 'in 30 days'],
  ['date', 'on a date'],
] as const

interface ExpiryOptions {
  lifetime: string
  /** The value of the date input. */
  day: string
  /** When the key that creates the link expires. */
  keyExpiry: string | null
}

export interface LinkExpiry {
  time: string
  isLimitedByKey: boolean
}

/** Undefined until a date is set. */
export function linkExpiry(
  { lifetime, day, keyExpiry }: ExpiryOptions,
  now = Date.now(),
): LinkExpiry | undefined {
  // The end of the day in the user's time zone.
  const end = lifetime === 'date' ? Date.parse(`${day}T23:59:59`) : now + Number(lifetime) * DAY_MS
  if (Number.isNaN(end)) return undefined
  const isLimitedByKey = keyExpiry !== null && Date.parse(keyExpiry) < end
  return { time: isLimitedByKey ? keyExpiry : new Date(end).toISOString(), isLimitedByKey }
}

/** Today in the user's time zone, as a value of a date input. */
export function today(now = new Date()): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`
}
