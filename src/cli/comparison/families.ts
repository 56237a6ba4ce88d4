// Finds the pairs of evaluations that two ids mean. An id can name a family: the evaluations of one file with several prompts
// or providers.
import type { Evaluation } from '../../schema/evaluations.ts'
import { resolveId } from '../target/resolve-id.ts'
import type { Target } from '../target/target.ts'
import { NotInProject } from '../target/target-errors.ts'

type Member = Pick<Evaluation, 'id' | 'label' | 'provider'>

type Pair = [baseline: Member, candidate: Member]

export interface MatchedFamilies {
  /** False if both ids are evaluations. */
  isFamily: boolean
  pairs: Pair[]
  /** Members of the baseline that the candidate does not have. */
  missing: Member[]
  /** Members that only the candidate has. */
  added: Member[]
}

/** Throws NotInProject. */
export async function matchFamilies(
  target: Target,
  baseline: string,
  candidate: string,
): Promise<MatchedFamilies> {
  const members = await readMembers(target, baseline)
  const others = await readMembers(target, candidate)
  if (members.isFamily || others.isFamily)
    return { isFamily: true, ...matchMembers(members.list, others.list) }
  const pairs = members.list.flatMap((member) => others.list.map((other): Pair => [member, other]))
  return { isFamily: false, pairs, missing: [], added: [] }
}

/** An evaluation with exactly this id is not a family. A name is the last possibility. */
async function readMembers(target: Target, id: string): Promise<{ isFamily: boolean; list: Member[] }> {
  try {
    return { isFamily: false, list: [JSON.parse(await target.getText('evaluation', id))] }
  } catch (error) {
    if (!(error instanceof NotInProject)) throw error
    const list: Member[] = []
    for await (const text of target.list('evaluation', { family: `eq.${id}` })) list.push(JSON.parse(text))
    if (list.length === 0) {
      const named = await resolveId(target, 'evaluation', id)
      return { isFamily: false, list: [JSON.parse(await target.getText('evaluation', named))] }
    }
    const collator = new Intl.Collator('en', { numeric: true })
    return { isFamily: true, list: list.sort((a, b) => collator.compare(a.id, b.id)) }
  }
}

/** By label and provider. Positions in a file mean nothing, because prompts can be inserted. Equal members match in order. */
export function matchMembers(members: Member[], others: Member[]): Omit<MatchedFamilies, 'isFamily'> {
  const keyOf = ({ label, provider }: Member) => JSON.stringify([label, provider])
  const added = new Set(others)
  const pairs: Pair[] = []
  const missing: Member[] = []
  for (const member of members) {
    const match = [...added].find((other) => keyOf(other) === keyOf(member))
    if (match) pairs.push([member, match])
    else missing.push(member)
    if (match) added.delete(match)
  }
  return { pairs, missing, added: [...added] }
}

/** For example `'main:1' (short, openai:gpt-5)`. */
export function describeMember({ id, label, provider }: Member): string {
  const parts = [label, provider].filter((part) => part !== null)
  return parts.length === 0 ? `'${id}'` : `'${id}' (${parts.join(', ')})`
}
