// Compares the entries of the change log with what a write changed in the model.
import assert from 'node:assert/strict'
import { Evaluation, type Project, type Resource, type Variant } from './model.ts'

export interface Entry {
  action: string
  evaluation_id: string | null
  variant_id: string | null
  counts: Partial<Record<'scenarios' | 'added' | 'deleted' | 'revisions', number>>
  cursor: string
}

interface State {
  id: string | undefined
  changeCount: number
  /** The number of scenarios or revisions. */
  size: number
}

export type ProjectState = Map<Resource, State>

export function stateOf({ evaluations, variants }: Project): ProjectState {
  return new Map([...evaluations, ...variants].map((resource) => [resource, resourceState(resource)]))
}

function resourceState(resource: Resource): State {
  const { id, changeCount } = resource
  const elements = resource instanceof Evaluation ? resource.scenarios : (resource as Variant).revisions
  return { id, changeCount, size: elements.length }
}

/** Every changed evaluation and variant has entries, which say by how many its elements changed, and no other has one. */
export function checkEntries(before: ProjectState, after: ProjectState, entries: Entry[]): void {
  const unexplained = new Set(entries)
  for (const resource of new Set([...before.keys(), ...after.keys()])) {
    const [old, current] = [before.get(resource), after.get(resource)]
    const id = current?.id ?? old?.id
    const noun = resource instanceof Evaluation ? 'evaluation' : 'variant'
    const own = entries.filter((entry) => entry[`${noun}_id`] === id)
    const isChanged = old?.changeCount !== current?.changeCount || !old || !current
    if (!isChanged) continue
    assert.ok(own.length > 0, `The change log does not mention the ${noun} '${id}'`)
    const actions = own.map(({ action }) => action)
    assert.equal(actions.includes(`${noun}.created`), !old)
    assert.equal(actions.includes(`${noun}.deleted`), !current)
    const difference = own.reduce((sum, entry) => sum + addedElements(entry), 0)
    assert.equal(difference, (current?.size ?? 0) - (old?.size ?? 0), JSON.stringify(own))
    for (const entry of own) unexplained.delete(entry)
  }
  assert.deepEqual([...unexplained], [], 'The change log mentions what did not change')
}

function addedElements({ action, counts }: Entry): number {
  const { scenarios = 0, added = 0, deleted = 0, revisions = 0 } = counts
  if (action === 'scenarios.appended' || action === 'revision.created') return scenarios + revisions
  if (action === 'scenarios.replaced') return added - deleted
  return /(?:^scenario|revision|evaluation|variant)\.deleted$/.test(action) ? -scenarios - revisions : 0
}
