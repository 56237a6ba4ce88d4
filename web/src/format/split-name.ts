// Splits a long name where it starts to differ from similar names, so that both parts can be shortened separately.

const MIN_LENGTH = 16
const MAX_END = 14
const MAX_WORD_START = 4
const BOUNDARY = /[^\p{L}\p{N}]/u

/** The end starts with what distinguishes the name from all others. It is empty if the name needs no split. */
export function splitName(name: string, otherNames: readonly string[]): [start: string, end: string] {
  if (name.length < MIN_LENGTH) return [name, '']
  const characters = [...name]
  const lengths = otherNames.filter((other) => other !== name).map((other) => sharedPrefix(characters, other))
  const shared = Math.max(0, ...lengths)
  if (shared < MIN_LENGTH / 2) return [name, '']
  // Start at the beginning of a word, if it is near.
  const isBoundary = (index: number) => BOUNDARY.test(characters[index - 1] ?? '')
  let split = shared
  const isNear = () => characters.length - split < MAX_END || shared - split < MAX_WORD_START
  while (split > 0 && isNear() && !isBoundary(split)) split--
  if (!isBoundary(split)) split = Math.min(shared, characters.length - MAX_END / 2)
  return [characters.slice(0, split).join(''), characters.slice(split).join('')]
}

function sharedPrefix(characters: readonly string[], other: string): number {
  const otherCharacters = [...other]
  const difference = characters.findIndex((character, index) => character !== otherCharacters[index])
  return difference < 0 ? characters.length : difference
}
