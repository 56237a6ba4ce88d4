// A small seeded generator: the same seed gives the same numbers on every machine, so that the sample never
// changes by itself.

export interface Random {
  /** A number from 0 up to, not including, 1. */
  next(): number
  between(low: number, high: number): number
  integer(low: number, high: number): number
  pick<Item>(items: readonly Item[]): Item
  chance(probability: number): boolean
}

export function randomFrom(seed: string): Random {
  let state = fingerprint(seed)
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

/** FNV-1a over the UTF-16 units of the seed. */
function fingerprint(seed: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < seed.length; at++) hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193)
  return hash | 0
}

export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale
}
