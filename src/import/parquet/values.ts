// Converts values of a Parquet file to JSON without loss: 64-bit integers and decimals keep every digit, and times
// become RFC 3339 texts.
import type { FileMetaData, ParquetParsers, SchemaElement, SchemaTree } from 'hyparquet'
import { Json } from '../../json/value.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

export const PARSERS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value) => formatTime(value, 3),
  timestampFromMicroseconds: (value) => formatTime(value, 6),
  timestampFromNanoseconds: (value) => formatTime(value, 9),
  dateFromDays: (days) => formatTime(BigInt(days) * 86_400_000n, 3).replace('T00:00:00Z', ''),
  stringFromBytes: (bytes) => decoder.decode(bytes),
  // The text is kept: parsing it would round numbers.
  jsonFromBytes: (bytes) => decoder.decode(bytes),
  geometryFromBytes: (bytes) => bytes,
  geographyFromBytes: (bytes) => bytes,
}

/** `digits` are those after the point. */
function formatTime(value: bigint, digits: 3 | 6 | 9): string {
  const unit = 10n ** BigInt(digits)
  const count = BigInt(value)
  const fraction = ((count % unit) + unit) % unit
  const date = new Date(Number((count - fraction) / unit) * 1000)
  if (Number.isNaN(date.getTime())) return String(count)
  const decimals = fraction === 0n ? '' : `.${String(fraction).padStart(digits, '0').replace(/0+$/, '')}`
  return `${date.toISOString().slice(0, -5)}${decimals}Z`
}

/** Lists, maps and structures. A row of them has any number of values. */
export function isNested({ children, element }: SchemaTree): boolean {
  return children.length > 0 || element.repetition_type === 'REPEATED'
}

/** Makes hyparquet return decimals as integers or bytes, because it would convert them to doubles. */
export function keepDecimals({ schema }: FileMetaData): ReadonlySet<SchemaElement> {
  const decimals = new Set(schema.filter(({ converted_type }) => converted_type === 'DECIMAL'))
  for (const element of decimals) delete element.converted_type
  return decimals
}

/** Converts a value of a column. NaN and infinite numbers become null, because JSON has no such numbers. */
export function toJson(value: unknown, tree: SchemaTree, decimals: ReadonlySet<SchemaElement>): Json {
  if (value === undefined || value === null) return Json.of(null)
  const { children, element } = tree
  if (children.length === 0 && !Array.isArray(value))
    return decimals.has(element)
      ? toDecimal(value, element.scale ?? 0)
      : toScalar(isLocalTime(element) ? String(value).replace(/Z$/, '') : value)
  if (Array.isArray(value)) return Json.array(value.map((item) => toJson(item, itemTree(tree), decimals)))
  if (typeof value !== 'object') return toScalar(value)
  // A map has one group of a key and a value.
  const mapValue = element.converted_type === 'MAP' ? children[0]?.children[1] : undefined
  return Json.object(
    Object.entries(value).map(([name, member]) => {
      const child = mapValue ?? children.find((candidate) => candidate.element.name === name)
      return [name, toJson(member, child ?? tree, decimals)] as const
    }),
  )
}

/** A local time has no zone, so that it is not shifted to UTC. */
function isLocalTime({ logical_type: type }: SchemaElement): boolean {
  return type?.type === 'TIMESTAMP' && type.isAdjustedToUTC === false
}

/** The elements of a list are in a repeated group, in older files without it. A leaf can be repeated itself. */
function itemTree(tree: SchemaTree): SchemaTree {
  const [group] = tree.children
  if (!group) return tree
  return group.children.length === 1 ? (group.children[0] as SchemaTree) : group
}

function toScalar(value: unknown): Json {
  if (typeof value === 'bigint') return new Json(String(value))
  if (typeof value === 'number') return Number.isFinite(value) ? Json.of(value) : Json.of(null)
  if (value instanceof Uint8Array) return Json.of(decodeBytes(value))
  return Json.of(value)
}

/** Bytes without a type are a text in many files. */
function decodeBytes(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('base64')
  }
}

function toDecimal(value: unknown, scale: number): Json {
  const unscaled = value instanceof Uint8Array ? readSigned(value) : BigInt(value as bigint | number)
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const point = digits.length - scale
  const sign = unscaled < 0n ? '-' : ''
  return new Json(`${sign}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`)
}

/** A big-endian integer in two's complement. */
function readSigned(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toString('hex')
  return hex === '' ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`))
}
