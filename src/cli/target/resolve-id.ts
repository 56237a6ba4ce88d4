// Finds the evaluation or variant that an argument means: its id, or its name.
import { CommandError } from '../../errors.ts'
import type { Target } from './target.ts'
import { NotInProject } from './target-errors.ts'
import type { Noun } from './target-types.ts'

/** How many ids an ambiguous name lists. */
const MAX_IDS = 10

/** An exact id is preferred to a name. Throws NotInProject, and CommandError if several have this name. */
export async function resolveId(target: Target, noun: Noun, idOrName: string): Promise<string> {
  try {
    await target.getText(noun, idOrName)
    return idOrName
  } catch (error) {
    if (!(error instanceof NotInProject)) throw error
    const [id, ...others] = await findByName(target, noun, idOrName)
    if (id === undefined) throw error
    if (others.length === 0) return id
    throw ambiguousNameError(target, noun, idOrName, [id, ...others])
  }
}

export async function resolveEvaluations(target: Target, idsOrNames: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const idOrName of idsOrNames) ids.push(await resolveId(target, 'evaluation', idOrName))
  return ids
}

/** The newest ids, one more than an error lists. */
async function findByName(target: Target, noun: Noun, name: string): Promise<string[]> {
  const ids: string[] = []
  if (name === '') return ids
  for await (const text of target.list(noun, { name: `eq.${name}` }, MAX_IDS + 1))
    ids.push((JSON.parse(text) as { id: string }).id)
  return ids
}

function ambiguousNameError({ project }: Target, noun: Noun, name: string, ids: string[]): CommandError {
  const listed = ids
    .slice(0, MAX_IDS)
    .map((id) => `'${id}'`)
    .join(', ')
  const rest = ids.length > MAX_IDS ? ' and others' : ''
  return new CommandError(
    `The project '${project}' has several ${noun}s with the name '${name}': ${listed}${rest}.`,
    'Use one of these ids. The newest is the first.',
  )
}
