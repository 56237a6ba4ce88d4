// Times: any of RFC 3339 comes in, one form goes out.

const FORM =
  /^(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** In UTC with milliseconds, as 2026-11-15T09:15:00.123Z; undefined where the text is no time of RFC 3339. */
export function normaliseTime(text: string): string | undefined {
  const [, day = '', minute, second, fraction = '', offset = ''] = FORM.exec(text) ?? []
  if (second === undefined || !isDay(day)) return undefined
  // Date knows no leap second: it is the first moment of the minute that follows.
  const leap = second === '60' ? 1000 : 0
  const time = Date.parse(`${day}T${minute}:${leap > 0 ? '59' : second}${fraction}${offset.toUpperCase()}`)
  const normal = Number.isNaN(time) ? '' : new Date(time + leap).toISOString()
  // A time near the end of the calendar may leave it by its offset.
  return /^\d{4}-/.test(normal) ? normal : undefined
}

/** Date.parse takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const time = Date.parse(day)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}
