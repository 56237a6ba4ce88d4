// Paths inside a JSON value, in readable form: tools[1].name, headers["x.y"].

/** One step of a path. The root has no parent. The index in a list can differ between the two versions. */
export interface PathNode {
  parent?: PathNode
  name?: string
  oldIndex?: number
  newIndex?: number
}

export const ROOT: PathNode = {}

/** Names that need no quotes. */
const PLAIN = /^[A-Za-z_][\w-]*$/

export function pathOf(node: PathNode, side: 'oldIndex' | 'newIndex'): string {
  const steps: string[] = []
  for (let at: PathNode | undefined = node; at?.parent; at = at.parent) steps.push(stepOf(at, side))
  const path = steps.reverse().join('')
  return path[0] === '.' ? path.slice(1) : path
}

function stepOf({ name, ...index }: PathNode, side: 'oldIndex' | 'newIndex'): string {
  if (name === undefined) return `[${index[side]}]`
  return PLAIN.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}
