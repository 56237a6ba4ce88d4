// A seeded random number generator: the same seed gives the same numbers on every machine.

export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  between(low: number, high: number): number
  integer(low: number, high: number): number
  pick<Item>(items: readonly Item[]): Item
  chance(probability: number): boolean
}

export function randomFrom(seed: string): Random {
  let state = hashSeed(seed)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    integer,
    pick<Item>(items: readonly Item[]): Item {
      if (items.length === 0) throw new Error(`nothing to pick from (seed ${seed})`)
      return items[integer(0, items.length - 1)] as Item
    },
    chance: (probability) => next() < probability,
  }
}

/** FNV-1a over the UTF-16 code units of the seed. */
function hashSeed(seed: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < seed.length; index++)
    hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193)
  return hash | 0
}

export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale
}
