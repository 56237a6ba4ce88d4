// How many rows are in each class, and the way to see just those: of which candidate, and on which evaluator.
import type { ReactNode } from 'react'
import { useChangeSearch } from '../change-search.ts'
import { Chip } from '../filters/chip.tsx'
import styles from '../filters/filters.module.css'
import { Follow } from '../filters/follow.tsx'
import { CLASS_MEANINGS, CLASS_NAMES, classesOf, rowsIn } from './classes.ts'
import { nameOf, withEvaluations, withFirstCandidate } from './compared.ts'
import type { Shown } from './shown.ts'
import { SHOWN_CLASSES, type ShownClass } from './view.ts'

const SIGNS: Partial<Record<ShownClass, ReactNode>> = {
  regressed: <span className="worse">▼</span>,
  improved: <span className="better">▲</span>,
}

export function Chips({ shown }: { shown: Shown }) {
  const { view, comparison } = shown
  const change = useChangeSearch()
  const classes = classesOf(shown)
  if (!classes) return <div className={styles.chips} />
  return (
    <div role="group" aria-label="Classes" className={styles.chips}>
      {SHOWN_CLASSES.map((show) => (
        <Chip
          key={show}
          name={CLASS_NAMES[show]}
          title={CLASS_MEANINGS[show]}
          sign={SIGNS[show]}
          rows={rowsIn(classes, show)}
          isChosen={view.show === show}
          onChoose={() => change({ show: show === 'regressed' ? undefined : show })}
        />
      ))}
      {comparison && <FirstCandidate shown={shown} />}
      {comparison && <Evaluator shown={shown} />}
    </div>
  )
}

/** Classes go by one candidate: of several, the one that stands beside the base. */
function FirstCandidate({ shown: { view, comparison } }: { shown: Shown }) {
  const change = useChangeSearch()
  const [, first, ...others] = view.evaluations
  if (others.length === 0) return null
  return (
    <Follow
      word="of"
      label="Candidate that the classes are of"
      chosen={first}
      choices={view.evaluations.slice(1).map((id) => ({ value: id, name: nameOf(comparison, id) }))}
      onChoose={(id) => change(withEvaluations(withFirstCandidate(view.evaluations, id)))}
    />
  )
}

function Evaluator({ shown: { view, comparison, on } }: { shown: Shown }) {
  const change = useChangeSearch()
  const evaluators = comparison?.candidates[0]?.evaluators ?? []
  if (on === undefined || evaluators.length === 0) return null
  if (evaluators.length === 1) return <span className={styles.count}>on {on}</span>
  /** An order by the evaluator of before is of no use any more. */
  function follow(to: string) {
    const isAboutIt = /^(?:delta|result)\./.test(view.order ?? '')
    change({ on: to, ...(isAboutIt && { order: undefined }) })
  }
  return (
    <Follow
      word="on"
      label="Evaluator that the classes are about"
      chosen={on}
      choices={evaluators.map(({ name }) => ({ value: name, name }))}
      onChoose={follow}
    />
  )
}
