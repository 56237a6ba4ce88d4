// Generated characters for texts.
import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/** Any character. The unit `binary` of fast-check is the same, but first builds a table of all characters for seconds. */
export const anyCharacter = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map((code) => String.fromCodePoint(code < SURROGATES.first ? code : code + SURROGATES.count))
