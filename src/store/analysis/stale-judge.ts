// Whether a judge was changed after people judged rows.
import type { Agreement } from '../../schema/analysis/agreements.ts'
import type { ReviewAnswer } from '../../schema/reviews/answers.ts'
import type { Connection } from '../dialect/dialect.ts'
import {
  JUDGE_MEMBERS,
  type JudgeMember,
  readDeclarationChanges,
} from '../evaluations/declaration-changes.ts'

const MEMBER_NAMES: Record<JudgeMember, string> = {
  model: 'model',
  prompt: 'prompt',
  threshold: 'threshold',
  higher_is_better: 'direction',
}

/** Results of people without answers in a review have no time: those that an evaluator had at the time of the change count as earlier. */
export async function warnStaleJudge(
  connection: Connection,
  evaluation: number,
  judge: string,
  people: string,
): Promise<Agreement['warnings']> {
  const changes = await readDeclarationChanges(connection, evaluation, judge)
  const changed = JUDGE_MEMBERS.flatMap((member) => {
    const change = changes[member]
    return change?.judged.includes(people) ? [{ member, ...change }] : []
  })
  if (changed.length === 0) return []
  const rows = await connection.all<{ answers: string }>(
    'SELECT answers FROM answer WHERE evaluation = ?',
    evaluation,
  )
  const times = rows.flatMap(({ answers }) => {
    const own = (JSON.parse(answers) as ReviewAnswer[]).filter(({ evaluator }) => evaluator === people)
    return own.length === 0
      ? []
      : [
          own
            .map(({ answered_at }) => answered_at)
            .sort()
            .at(-1) as string,
        ]
  })
  const isBefore = (time: string) => times.filter((answered_at) => answered_at < time).length
  const stale = changed.filter(({ changed_at }) => times.length === 0 || isBefore(changed_at) > 0)
  const last = stale
    .map(({ changed_at }) => changed_at)
    .sort()
    .at(-1)
  if (last === undefined) return []
  const members = stale.map(({ member }) => MEMBER_NAMES[member])
  const before = times.length === 0 ? 'rows' : `${isBefore(last)} of ${times.length} rows`
  const detail = `The ${new Intl.ListFormat('en').format(members)} of '${judge}' changed on ${last.slice(0, 10)}, after ${before} had verdicts of '${people}'. The agreement can be different in other rows: judge new rows to confirm it.`
  return [{ code: 'judge-changed', detail }]
}
