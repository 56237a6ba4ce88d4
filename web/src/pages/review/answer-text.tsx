// An answer in a few words: "pass", "can't tell", a label or a number.
import type { NewAnswer } from 'assay-client'
import { formatScore } from '../../format/numbers.ts'
import { StateIcon } from '../../results/state-icon.tsx'

/** Values of preferences that are no words. */
const PREFERENCES: Record<string, string> = { both_bad: 'both bad' }

export function AnswerText({ value }: Pick<NewAnswer, 'value'>) {
  if (typeof value === 'boolean') {
    const state = value ? 'pass' : 'fail'
    return (
      <span>
        <StateIcon state={state} /> {state}
      </span>
    )
  }
  if (value === null) return <span className="quiet">can’t tell</span>
  return <bdi>{typeof value === 'number' ? formatScore(value) : (PREFERENCES[value] ?? value)}</bdi>
}
