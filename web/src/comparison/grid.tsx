// The joined rows of the view: what is asked for and what is shown meanwhile, or why there is nothing to show.
import { counted } from '../format/numbers.ts'
import styles from '../grid/grid.module.css'
import { useSettled } from '../grid/settled.ts'
import { Refused } from '../parts/refused.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { Empty } from './empty.tsx'
import { GridTable } from './grid-table.tsx'
import { orderWords } from './ordering.ts'
import { windowQuestion } from './questions.ts'
import { directionOn, type Shown } from './shown.ts'

export function Grid({ shown }: { shown: Shown }) {
  const { question, comparison } = shown
  // Names that nothing has are left out, once it is known which there are.
  const isPlain = question.filters.length === 0 && question.order === undefined && question.on === undefined
  const { settled, isPending, error, cancel } = useSettled({
    question,
    ask: windowQuestion,
    isReady: isPlain || comparison !== undefined,
  })
  const scenarios = comparison?.evaluations[0]?.scenario_count
  return (
    <div className={styles.grid}>
      <div className={styles.waiting}>
        {isPending && (
          <Waiting
            about={scenarios === undefined ? undefined : counted(scenarios, 'row')}
            onCancel={cancel}
          />
        )}
      </div>
      <Refused error={error} />
      <p role="status" className="unseen">
        {settled && !isPending && spoken(shown, settled.first)}
      </p>
      {settled &&
        (settled.first.total > 0 ? (
          <GridTable shown={shown} settled={settled} isBusy={isPending} />
        ) : (
          <Empty shown={shown} question={settled.question} answer={settled.first} />
        ))}
    </div>
  )
}

/** "2,310 rows, sorted by change, largest first". */
function spoken(shown: Shown, { total, on }: { total: number; on: string | null }): string {
  const evaluator = on ?? undefined
  const ordered = { ...shown.question, on: evaluator, higherIsBetter: directionOn(shown, evaluator) }
  return [counted(total, 'row'), orderWords(ordered)].filter(Boolean).join(', ')
}
