// Picks the representation and the content coding a client likes best, by the q-values it sent.
import { Problem } from '../errors.ts'
import { CODINGS, type Coding } from '../rendition/coding.ts'
import { type Format, MEDIA_TYPES } from '../rendition/representation.ts'

interface Preference {
  name: string
  q: number
}

const ANYTHING = [{ name: '*/*', q: 1 }]

/** The representation for this Accept field, out of those there are. No field means: anything. */
export const pickFormat = remembering((accept: string, formats: readonly Format[]): Format => {
  const read = readPreferences(accept)
  const preferences = read.length === 0 ? ANYTHING : read
  const best = pickBest(formats, (format) => formatQuality(format, preferences))
  if (best !== undefined) return best
  const offered = formats.map((format) => MEDIA_TYPES[format].split(';')[0]).join(', ')
  throw new Problem('not-acceptable', `Nothing served here fits 'Accept: ${accept}'. Ask for ${offered}.`)
})

const pickCodingFrom = remembering((acceptEncoding: string, codings: readonly Coding[]): Coding => {
  const preferences = readPreferences(acceptEncoding)
  const best = pickBest(codings, (coding) => codingQuality(coding, preferences))
  if (best !== undefined) return best
  throw new Problem(
    'not-acceptable',
    `Nothing served here fits 'Accept-Encoding: ${acceptEncoding}'. Ask for zstd, br, gzip or identity.`,
  )
})

/** The coding for this Accept-Encoding field. No field means identity. */
export function pickCoding(acceptEncoding: string | undefined): Coding {
  return pickCodingFrom(acceptEncoding, CODINGS)
}

/** Clients send the same few fields again and again. */
const MOST_REMEMBERED = 200

/** What was picked by a field is picked by it again. */
function remembering<Choice>(pick: (field: string, choices: readonly Choice[]) => Choice) {
  const known = new WeakMap<readonly Choice[], Map<string, Choice>>()
  return (field = '', choices: readonly Choice[]): Choice => {
    const picked = known.get(choices) ?? new Map<string, Choice>()
    known.set(choices, picked)
    const choice = picked.get(field) ?? pick(field, choices)
    if (picked.size >= MOST_REMEMBERED) picked.clear()
    picked.set(field, choice)
    return choice
  }
}

/** The most specific range that matches decides. */
function formatQuality(format: Format, preferences: readonly Preference[]): number {
  const [type = ''] = MEDIA_TYPES[format].split(';')
  const [family] = type.split('/')
  for (const range of [type, `${family}/*`, '*/*']) {
    const match = preferences.find(({ name }) => name === range)
    if (match) return match.q
  }
  return 0
}

/** Identity that is not named is acceptable, and liked less than anything that is. */
function codingQuality(coding: Coding, preferences: readonly Preference[]): number {
  const names = coding === 'gzip' ? ['gzip', 'x-gzip'] : [coding]
  const named = preferences.find(({ name }) => names.includes(name))
  if (named) return named.q
  const wildcard = preferences.find(({ name }) => name === '*')
  if (coding === 'identity') return wildcard?.q === 0 ? 0 : Number.MIN_VALUE
  return wildcard?.q ?? 0
}

function pickBest<Choice>(
  choices: readonly Choice[],
  quality: (choice: Choice) => number,
): Choice | undefined {
  let best: Choice | undefined
  let bestQuality = 0
  for (const choice of choices) {
    const q = quality(choice)
    if (q > bestQuality) {
      best = choice
      bestQuality = q
    }
  }
  return best
}

/** Members of a list field with their q; parameters other than q are ignored, and so are malformed members. */
function readPreferences(field: string): Preference[] {
  const preferences: Preference[] = []
  for (const member of field.split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
    if (name === '') continue
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter))
    preferences.push({ name, q: q === undefined ? 1 : readQuality(q) })
  }
  return preferences
}

function readQuality(parameter: string): number {
  const text = parameter.slice(parameter.indexOf('=') + 1).trim()
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
