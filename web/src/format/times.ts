// Formats times: relative, or as date and time.
const STEPS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' })
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** "now", "5 min. ago", "3 days ago"; the date after two weeks. */
export function formatTimeAgo(time: string, now = Date.now()): string {
  const passed = now - Date.parse(time)
  if (Math.abs(passed) > 14 * 86_400_000) return date.format(new Date(time))
  for (const [unit, ms] of STEPS) {
    if (Math.abs(passed) >= ms) return relative.format(-Math.round(passed / ms), unit)
  }
  return 'now'
}

/** "6 Oct"; with the year after ten months. */
export function formatDay(time: string, now = Date.now()): string {
  const isRecent = Math.abs(now - Date.parse(time)) < 300 * 86_400_000
  return (isRecent ? day : date).format(new Date(time))
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** "23 Nov 2026, 14:04". */
export function formatDateTime(time: string): string {
  return exact.format(new Date(time))
}

export function formatTime(time: number): string {
  return clock.format(time)
}
