// Where a value stands inside another, as people write it: tools[1].name, headers["x.y"].

/** One step from what is around it; the root has none. In a list it may have been elsewhere before. */
export interface Place {
  around?: Place
  name?: string
  oldIndex?: number
  newIndex?: number
}

export const ROOT: Place = {}

/** Names made of these stand without quotes. */
const PLAIN = /^[A-Za-z_][\w-]*$/

export function pathOf(place: Place, side: 'oldIndex' | 'newIndex'): string {
  const steps: string[] = []
  for (let at: Place | undefined = place; at?.around; at = at.around) steps.push(stepOf(at, side))
  const path = steps.reverse().join('')
  return path[0] === '.' ? path.slice(1) : path
}

function stepOf({ name, ...index }: Place, side: 'oldIndex' | 'newIndex'): string {
  if (name === undefined) return `[${index[side]}]`
  return PLAIN.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}
