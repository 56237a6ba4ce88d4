// Content negotiation: selects the format and the encoding that the client prefers, by its q-values.
import { Problem } from '../../errors.ts'
import type { Encoding } from '../../serialize/encoding.ts'
import { type Format, MEDIA_TYPES } from '../../serialize/format.ts'

interface Preference {
  name: string
  q: number
}

const ANY_MEDIA_TYPE = [{ name: '*/*', q: 1 }]

/** Selects the format for this Accept header. Without the header, every format is acceptable. */
export const negotiateFormat = memoize((accept: string, formats: readonly Format[]): Format => {
  const parsed = parsePreferences(accept)
  const preferences = parsed.length === 0 ? ANY_MEDIA_TYPE : parsed
  const best = pickBest(formats, (format) => formatQuality(format, preferences))
  if (best !== undefined) return best
  const offeredTypes = formats.map((format) => MEDIA_TYPES[format].split(';')[0]).join(', ')
  throw new Problem(
    'not-acceptable',
    `'Accept: ${accept}' allows no available media type. Use ${offeredTypes}.`,
  )
})

/** Whether the header lists HTML, as browsers do when they open an address. A wildcard is not enough. */
export function acceptsHtml(accept = ''): boolean {
  return parsePreferences(accept).some(({ name, q }) => name === 'text/html' && q > 0)
}

/** Selects the encoding for this Accept-Encoding header. Without the header, it is identity. */
export const negotiateEncoding = memoize(
  (acceptEncoding: string, encodings: readonly Encoding[]): Encoding => {
    const preferences = parsePreferences(acceptEncoding)
    const best = pickBest(encodings, (encoding) => encodingQuality(encoding, preferences))
    if (best !== undefined) return best
    throw new Problem(
      'not-acceptable',
      `'Accept-Encoding: ${acceptEncoding}' allows no available encoding. Use zstd, br, gzip or identity.`,
    )
  },
)

/** Clients send few different header values. */
const MAX_CACHED_VALUES = 200

/** Caches the choice for each header value. */
function memoize<Choice>(pick: (header: string, choices: readonly Choice[]) => Choice) {
  const cache = new WeakMap<readonly Choice[], Map<string, Choice>>()
  return (header = '', choices: readonly Choice[]): Choice => {
    const choicesByHeader = cache.get(choices) ?? new Map<string, Choice>()
    cache.set(choices, choicesByHeader)
    const choice = choicesByHeader.get(header) ?? pick(header, choices)
    if (choicesByHeader.size >= MAX_CACHED_VALUES) choicesByHeader.clear()
    choicesByHeader.set(header, choice)
    return choice
  }
}

/** The q-value of the most specific media range that matches. */
function formatQuality(format: Format, preferences: readonly Preference[]): number {
  const [type = ''] = MEDIA_TYPES[format].split(';')
  const [family] = type.split('/')
  for (const range of [type, `${family}/*`, '*/*']) {
    const match = preferences.find(({ name }) => name === range)
    if (match) return match.q
  }
  return 0
}

/** If the header does not list identity, identity is acceptable with the lowest preference. */
function encodingQuality(encoding: Encoding, preferences: readonly Preference[]): number {
  const names = encoding === 'gzip' ? ['gzip', 'x-gzip'] : [encoding]
  const listedPreference = preferences.find(({ name }) => names.includes(name))
  if (listedPreference) return listedPreference.q
  const wildcard = preferences.find(({ name }) => name === '*')
  if (encoding === 'identity') return wildcard?.q === 0 ? 0 : Number.MIN_VALUE
  return wildcard?.q ?? 0
}

/** The first of the acceptable choices with the highest quality. */
function pickBest<Choice>(
  choices: readonly Choice[],
  quality: (choice: Choice) => number,
): Choice | undefined {
  const acceptable = choices.filter((choice) => quality(choice) > 0)
  return acceptable.toSorted((a, b) => quality(b) - quality(a))[0]
}

/** Parses the members of the header with their q-values. Ignores other parameters; an invalid q-value counts as 0. */
function parsePreferences(header: string): Preference[] {
  const preferences: Preference[] = []
  for (const member of header.split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
    if (name === '') continue
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter))
    preferences.push({ name, q: q === undefined ? 1 : parseQuality(q) })
  }
  return preferences
}

function parseQuality(parameter: string): number {
  const text = parameter.slice(parameter.indexOf('=') + 1).trim()
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
