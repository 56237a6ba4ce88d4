// The menu of a compared evaluation: opens, moves, replaces or removes it.
import { Link } from '@tanstack/react-router'
import { ArrowLeft, ArrowRight, Flag, Replace, SquareArrowOutUpRight, X } from 'lucide'
import { useState } from 'react'
import { EvaluationPicker } from '../../../navigation/evaluation-picker.tsx'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Icon, type IconType } from '../../../ui/icon.tsx'
import { MenuItem, MenuItems, menuItemClass } from '../../../ui/menus/menu.tsx'
import type { ComparisonState } from '../page-state.ts'
import { withEvaluations } from '../search-params.ts'

interface EvaluationActionsProps {
  state: ComparisonState
  id: string
  canAdd: boolean
}

export function EvaluationActions({ state: { params, comparison }, id, canAdd }: EvaluationActionsProps) {
  const [isReplacing, setIsReplacing] = useState(false)
  const changeParams = useChangeSearchParams()
  const { evaluations } = params
  const index = evaluations.indexOf(id)
  const otherIds = evaluations.filter((other) => other !== id)
  const changeTo = (next: readonly string[]) => () => changeParams(withEvaluations(next))
  const moves: [label: string, icon: IconType, isPossible: boolean, next: string[]][] = [
    ['Set as baseline', Flag, index > 0, [id, ...otherIds]],
    ['Move left', ArrowLeft, index > 1, otherIds.toSpliced(index - 1, 0, id)],
    ['Move right', ArrowRight, index > 0 && index < otherIds.length, otherIds.toSpliced(index + 1, 0, id)],
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
    <MenuItems>
      <Link to="/evaluations/$evaluationId" params={{ evaluationId: id }} className={menuItemClass}>
        <Icon icon={SquareArrowOutUpRight} />
        Open evaluation
      </Link>
      {moves
        .filter(([, , isPossible]) => isPossible)
        .map(([label, icon, , next]) => (
          <MenuItem key={label} icon={icon} onClick={changeTo(next)}>
            {label}
          </MenuItem>
        ))}
      {canAdd && (
        <MenuItem icon={Replace} data-keep-open="" onClick={() => setIsReplacing(true)}>
          Replace…
        </MenuItem>
      )}
      {evaluations.length > 2 && (
        <MenuItem icon={X} onClick={changeTo(otherIds)}>
          Remove
        </MenuItem>
      )}
    </MenuItems>
  )
}
