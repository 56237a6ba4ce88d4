// The evaluations that are compared, the base first, each with what can be done about it; and the way to one more.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useChangeSearch } from '../change-search.ts'
import { EvaluationPicker } from '../parts/evaluation-picker.tsx'
import { Menu } from '../parts/menu.tsx'
import { useConfinement } from '../shell/confinement.ts'
import { moved, nameOf, withEvaluations } from './compared.ts'
import styles from './head.module.css'
import type { Shown } from './shown.ts'
import { MOST_COMPARED } from './view.ts'

export function EvaluationChips({ shown }: { shown: Shown }) {
  const { view, comparison } = shown
  const { evaluations } = view
  const change = useChangeSearch()
  // A key for just these evaluations knows no others.
  const mayAdd = useConfinement() === null
  return (
    <ul className={styles.compared} aria-label="Evaluations that are compared">
      {evaluations.map((id, place) => (
        <li key={id} data-base={place === 0 || undefined}>
          <Menu
            className={styles.evaluation}
            title={
              place === 0 ? `${id}: the baseline of the comparison` : `${id}: compared with the baseline`
            }
            label={
              <>
                {place === 0 && <span aria-hidden="true">★ </span>}
                <span className={styles.name}>{nameOf(comparison, id)}</span>
                {place === 0 && <span className={styles.base}> baseline</span>}
              </>
            }
          >
            <Choices shown={shown} id={id} mayAdd={mayAdd} />
          </Menu>
        </li>
      ))}
      {mayAdd && evaluations.length < MOST_COMPARED && (
        <li>
          <Menu label="+ Add" title={`Compare one more evaluation, ${MOST_COMPARED} at most`}>
            <EvaluationPicker
              without={evaluations}
              variantId={comparison?.evaluations[0]?.variant_id}
              onPick={({ id }) => change(withEvaluations([...evaluations, id]))}
            />
          </Menu>
        </li>
      )}
    </ul>
  )
}

interface ChoicesProps {
  shown: Shown
  id: string
  mayAdd: boolean
}

function Choices({ shown: { view, comparison }, id, mayAdd }: ChoicesProps) {
  const [isReplacing, setIsReplacing] = useState(false)
  const change = useChangeSearch()
  const { evaluations } = view
  const place = evaluations.indexOf(id)
  const others = evaluations.filter((other) => other !== id)
  const to = (next: readonly string[]) => () => change(withEvaluations(next))
  if (isReplacing) {
    return (
      <EvaluationPicker
        without={evaluations}
        variantId={comparison?.evaluations[0]?.variant_id}
        onPick={(other) => change(withEvaluations(evaluations.with(place, other.id)))}
      />
    )
  }
  return (
    <div className="options">
      <Link to="/evaluations/$evaluationId" params={{ evaluationId: id }} className={styles.open}>
        Open the evaluation
      </Link>
      {place > 0 && (
        <button type="button" className="plain" onClick={to([id, ...others])}>
          ★ Make it the baseline
        </button>
      )}
      {place > 1 && (
        <button type="button" className="plain" onClick={to(moved(evaluations, id, -1))}>
          ← Move to the left
        </button>
      )}
      {place > 0 && place < evaluations.length - 1 && (
        <button type="button" className="plain" onClick={to(moved(evaluations, id, 1))}>
          → Move to the right
        </button>
      )}
      {mayAdd && (
        <button type="button" className="plain" data-stay="" onClick={() => setIsReplacing(true)}>
          Replace…
        </button>
      )}
      {evaluations.length > 2 && (
        <button type="button" className="plain" onClick={to(others)}>
          Remove
        </button>
      )}
    </div>
  )
}
