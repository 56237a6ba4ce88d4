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
const PLAIN_NAME = /^[A-Za-z_][\w-]*$/

export function formatPath(node: PathNode, indexMember: 'oldIndex' | 'newIndex'): string {
  const steps: string[] = []
  for (let step: PathNode | undefined = node; step?.parent; step = step.parent)
    steps.push(formatStep(step, indexMember))
  const path = steps.reverse().join('')
  return path[0] === '.' ? path.slice(1) : path
}

function formatStep({ name, ...indexes }: PathNode, indexMember: 'oldIndex' | 'newIndex'): string {
  if (name === undefined) return `[${indexes[indexMember]}]`
  return PLAIN_NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}
