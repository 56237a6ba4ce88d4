// Families of imported evaluations: the evaluations of one file with several prompts or providers.
import type { EvaluationWrite } from '../../schema/evaluations.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { deleteEvaluation } from '../evaluations/evaluations.ts'

type Member = Pick<EvaluationWrite, 'label' | 'provider'>

const FIND_MEMBERS =
  'SELECT key, id, label, provider FROM evaluation WHERE project = ? AND family = ? ORDER BY id'

interface StoredMember {
  key: number
  id: string
  label: string | null
  provider: string | null
}

/**
 * The id of the baseline that a member of an imported family is compared with: the member of the same label and provider, or an
 * evaluation with exactly this id. Undefined if the baseline does not have the member.
 */
export async function findMemberBaseline(
  connection: Connection,
  project: number,
  baseline: string,
  { label = null, provider = null }: Member,
): Promise<string | undefined> {
  const named = await connection.all<StoredMember>(
    'SELECT key, id, label, provider FROM evaluation WHERE project = ? AND id = ?',
    project,
    baseline,
  )
  const members =
    named.length > 0 ? named : await connection.all<StoredMember>(FIND_MEMBERS, project, baseline)
  // It can be created later.
  if (members.length === 0) return baseline
  return members.find((member) => member.label === label && member.provider === provider)?.id
}

/** Deletes the members that a file no longer contains. Returns their ids. */
export async function deleteOtherMembers(
  transaction: Transaction,
  project: number,
  family: string,
  imported: ReadonlySet<string>,
): Promise<string[]> {
  const members = await transaction.all<StoredMember>(FIND_MEMBERS, project, family)
  const others = members.filter(({ id }) => !imported.has(id))
  for (const { id, key } of others) {
    await transaction.lock('evaluation', project, id)
    await deleteEvaluation(transaction, key)
  }
  return others.map(({ id }) => id)
}
