// When the declared model, prompt or threshold of an evaluator changed after people had given results in the evaluation.
import { toStorableText } from '../../json/storable-text.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { getDeclaredEvaluators, humanEvaluators } from './evaluators.ts'

/** The members whose change makes an earlier agreement with people stale. */
export const JUDGE_MEMBERS = ['model', 'prompt', 'threshold', 'higher_is_better'] as const
export type JudgeMember = (typeof JUDGE_MEMBERS)[number]

interface MemberChange {
  changed_at: string
  /** The evaluators of people that had results before. */
  judged: string[]
}

/** The last change of each member. */
export type DeclarationChanges = Partial<Record<JudgeMember, MemberChange>>

const READ_CHANGES = 'SELECT evaluators, declaration_changes AS changes FROM evaluation WHERE key = ?'
const READ_SCORED =
  "SELECT name FROM evaluation_column WHERE evaluation = ? AND kind = 'score' AND row_count > 0"

type Declaration = { name: string } & Partial<Record<JudgeMember, unknown>>

/** By name. Only the first declaration of a name is used. */
function parseDeclarations(evaluators: string | null): Map<string, Declaration> {
  const list = JSON.parse(evaluators ?? '[]') as Declaration[]
  return new Map(list.toReversed().map((declaration) => [toStorableText(declaration.name), declaration]))
}

/** Records which declarations differ from those in the JSON text `previous`. Without results of people, nothing is stale. */
export async function recordDeclarationChanges(
  transaction: Transaction,
  evaluation: number,
  previous: string | null,
): Promise<void> {
  const people = humanEvaluators(await getDeclaredEvaluators(transaction, evaluation))
  const scored = await transaction.all<{ name: string }>(READ_SCORED, evaluation)
  const judged = scored.map(({ name }) => name).filter((name) => people.has(name))
  if (judged.length === 0) return
  const row = await transaction.get<{ evaluators: string | null; changes: string | null }>(
    READ_CHANGES,
    evaluation,
  )
  const [before, after] = [parseDeclarations(previous), parseDeclarations(row?.evaluators ?? null)]
  const changes = new Map<string, DeclarationChanges>(Object.entries(JSON.parse(row?.changes ?? '{}')))
  const change: MemberChange = { changed_at: new Date().toISOString(), judged }
  for (const [name, declaration] of after) {
    const members = JUDGE_MEMBERS.filter((member) => declaration[member] !== before.get(name)?.[member])
    if (members.length === 0 || people.has(name)) continue
    changes.set(name, {
      ...changes.get(name),
      ...Object.fromEntries(members.map((member) => [member, change])),
    })
  }
  const text = changes.size === 0 ? null : JSON.stringify(Object.fromEntries(changes))
  await transaction.run('UPDATE evaluation SET declaration_changes = ? WHERE key = ?', text, evaluation)
}

export async function readDeclarationChanges(
  connection: Connection,
  evaluation: number,
  evaluator: string,
): Promise<DeclarationChanges> {
  const row = await connection.get<{ changes: string | null }>(READ_CHANGES, evaluation)
  const changes = new Map<string, DeclarationChanges>(Object.entries(JSON.parse(row?.changes ?? '{}')))
  return changes.get(evaluator) ?? {}
}
