// Date functions for the sample: ISO dates in records, "24 August" in texts.

const DAY = 86_400_000
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + days * DAY).toISOString().slice(0, 10)
}

/** Formats a date as day and month, and adds the year if it is not 2026. */
export function formatDate(date: string): string {
  const [year, month, day] = date.split('-')
  return `${Number(day)} ${MONTHS[Number(month) - 1]}${year === '2026' ? '' : ` ${year}`}`
}
