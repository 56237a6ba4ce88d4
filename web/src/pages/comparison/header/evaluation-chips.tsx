// The compared evaluations as chips, the baseline first, each with a menu; and a menu to add one.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRestriction } from '../../../api/restriction.ts'
import { EvaluationPicker } from '../../../navigation/evaluation-picker.tsx'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Menu } from '../../../ui/menu.tsx'
import { evaluationName, withEvaluations } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { MAX_EVALUATIONS } from '../search-params.ts'
import styles from './header.module.css'

export function EvaluationChips({ state }: { state: ComparisonState }) {
  const { params, comparison } = state
  const { evaluations } = params
  const changeParams = useChangeSearchParams()
  // A restricted key cannot read other evaluations.
  const canAdd = useRestriction() === null
  return (
    <ul className={styles.evaluations} aria-label="Compared evaluations">
      {evaluations.map((id, index) => (
        <li key={id} data-baseline={index === 0 || undefined}>
          <Menu
            className={styles.evaluation}
            title={`${id}: ${index === 0 ? 'baseline' : 'candidate'}`}
            label={
              <>
                {index === 0 && <span aria-hidden="true">★ </span>}
                <span className={styles.name}>{evaluationName(comparison, id)}</span>
                {index === 0 && <span className={styles.baseline}> baseline</span>}
              </>
            }
          >
            <EvaluationActions state={state} id={id} canAdd={canAdd} />
          </Menu>
        </li>
      ))}
      {canAdd && evaluations.length < MAX_EVALUATIONS && (
        <li>
          <Menu label="+ Add" title={`Add an evaluation (at most ${MAX_EVALUATIONS})`}>
            <EvaluationPicker
              excludedIds={evaluations}
              variantId={comparison?.evaluations[0]?.variant_id}
              onPick={({ id }) => changeParams(withEvaluations([...evaluations, id]))}
            />
          </Menu>
        </li>
      )}
    </ul>
  )
}

interface EvaluationActionsProps {
  state: ComparisonState
  id: string
  canAdd: boolean
}

function EvaluationActions({ state: { params, comparison }, id, canAdd }: EvaluationActionsProps) {
  const [isReplacing, setIsReplacing] = useState(false)
  const changeParams = useChangeSearchParams()
  const { evaluations } = params
  const index = evaluations.indexOf(id)
  const otherIds = evaluations.filter((other) => other !== id)
  const changeTo = (next: readonly string[]) => () => changeParams(withEvaluations(next))
  const moves: [label: string, isPossible: boolean, next: string[]][] = [
    ['★ Set as baseline', index > 0, [id, ...otherIds]],
    ['← Move left', index > 1, otherIds.toSpliced(index - 1, 0, id)],
    ['→ Move right', index > 0 && index < otherIds.length, otherIds.toSpliced(index + 1, 0, id)],
  ]
  if (isReplacing) {
    return (
      <EvaluationPicker
        excludedIds={evaluations}
        variantId={comparison?.evaluations[0]?.variant_id}
        onPick={(other) => changeParams(withEvaluations(evaluations.with(index, other.id)))}
      />
    )
  }
  return (
    <div className="options">
      <Link to="/evaluations/$evaluationId" params={{ evaluationId: id }} className={styles.open}>
        Open evaluation
      </Link>
      {moves
        .filter(([, isPossible]) => isPossible)
        .map(([label, , next]) => (
          <button key={label} type="button" className="plain" onClick={changeTo(next)}>
            {label}
          </button>
        ))}
      {canAdd && (
        <button type="button" className="plain" data-keep-open="" onClick={() => setIsReplacing(true)}>
          Replace…
        </button>
      )}
      {evaluations.length > 2 && (
        <button type="button" className="plain" onClick={changeTo(otherIds)}>
          Remove
        </button>
      )}
    </div>
  )
}
