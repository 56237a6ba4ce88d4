// Why there are no rows of a class, and which classes do have some.
import type { ComparisonRows } from 'assay-client'
import { useChangeSearch } from '../change-search.ts'
import styles from '../filters/filters.module.css'
import { NoMatch } from '../filters/no-match.tsx'
import { count } from '../format/numbers.ts'
import grid from '../grid/grid.module.css'
import { CLASS_NAMES, pairOf, rowsIn } from './classes.ts'
import { type RowQuestion, totalQuestion } from './questions.ts'
import type { Shown } from './shown.ts'
import { SHOWN_CLASSES } from './view.ts'

interface EmptyProps {
  shown: Shown
  question: RowQuestion
  answer: ComparisonRows
}

export function Empty({ shown, question, answer }: EmptyProps) {
  const { filters } = question
  const isFiltered = filters.length > 0
  const isAnyLeft = rowsIn(answer.classes, 'all') > 0
  return (
    <div className={grid.empty}>
      {(!isFiltered || isAnyLeft) && <NoneInClass shown={shown} question={question} answer={answer} />}
      {isFiltered && (
        <NoMatch filters={filters} ask={(others) => totalQuestion({ ...question, filters: others })} />
      )}
    </div>
  )
}

function NoneInClass({ shown, question, answer }: EmptyProps) {
  const change = useChangeSearch()
  const { classes, on } = answer
  const others = SHOWN_CLASSES.filter((show) => show !== question.show && rowsIn(classes, show) > 0)
  return (
    <>
      <h2>{headline(shown, question, answer)}</h2>
      {on !== null && question.filters.length === 0 && <p>{outputWords(shown)}</p>}
      {others.length > 0 && (
        <ul aria-label="Classes with rows" className={styles.without}>
          {others.map((show) => (
            <li key={show}>
              <button
                type="button"
                // The button goes with the message, so the search takes the focus.
                onClick={() => {
                  document.querySelector<HTMLElement>('search input')?.focus()
                  change({ show: show === 'regressed' ? undefined : show })
                }}
              >
                {CLASS_NAMES[show]} <span className={styles.rows}>{count(rowsIn(classes, show))}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function headline(shown: Shown, { show, filters }: RowQuestion, { classes, on }: ComparisonRows): string {
  const [base, candidate] = pairOf(shown)
  const filtered = filters.length > 0 ? ' that the filters leave' : ''
  if (rowsIn(classes, 'all') === 0) return `Neither ${base} nor ${candidate} has a row`
  if (show === 'missing') return `Every row${filtered} is in both ${base} and ${candidate}`
  if (on === null) return `${base} and ${candidate} have no evaluator`
  if (show === 'regressed' || show === 'improved') {
    const isUnchanged = classes.regressed + classes.improved === 0
    return `No matched row${filtered} ${isUnchanged ? 'changed' : show} on ${on}`
  }
  if (show === 'same') return `No matched row${filtered} has the same score on ${on} in both`
  return `Every matched row${filtered} can be compared on ${on}`
}

/** "65,466 identical outputs, 34,222 reworded." */
function outputWords({ comparison }: Shown): string {
  const candidate = comparison?.candidates[0]
  if (!candidate || candidate.matched === 0) return ''
  const { matched, outputs_changed } = candidate
  const same = matched - outputs_changed
  return `${count(same)} identical ${same === 1 ? 'output' : 'outputs'}, ${count(outputs_changed)} reworded.`
}
