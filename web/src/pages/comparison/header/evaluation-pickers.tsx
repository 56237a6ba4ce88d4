// The compared evaluations, the baseline first, each with a menu; a button to swap two, and a menu to add one.
import { Link } from '@tanstack/react-router'
import { ArrowLeft, ArrowLeftRight, ArrowRight, Flag, Plus, Replace, SquareArrowOutUpRight, X } from 'lucide'
import { Fragment, useState } from 'react'
import { useRestriction } from '../../../api/restriction.ts'
import { EvaluationPicker } from '../../../navigation/evaluation-picker.tsx'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { Icon, type IconType } from '../../../ui/icon.tsx'
import { Menu, MenuItem, MenuItems, menuItemClass } from '../../../ui/menus/menu.tsx'
import { evaluationName, shortName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { MAX_EVALUATIONS, withEvaluations } from '../search-params.ts'
import styles from './header.module.css'

export function EvaluationPickers({ state }: { state: ComparisonState }) {
  const { params, comparison } = state
  const { evaluations } = params
  const changeParams = useChangeSearchParams()
  // A restricted key cannot read other evaluations.
  const canAdd = useRestriction() === null
  return (
    <ul className={styles.evaluations} aria-label="Compared evaluations">
      {evaluations.map((id, index) => (
        <Fragment key={id}>
          <li>
            <Menu
              className={styles.evaluation}
              title={index === 0 ? 'Baseline' : 'Candidate'}
              label={
                <>
                  {index === 0 && <Badge>baseline</Badge>}
                  <span className={styles.name}>{evaluationName(comparison, id)}</span>
                  <span className={styles.shortName}>{shortName(comparison, id)}</span>
                </>
              }
            >
              <EvaluationActions state={state} id={id} canAdd={canAdd} />
            </Menu>
          </li>
          {index === 0 && evaluations.length === 2 && (
            <li>
              <IconButton
                icon={ArrowLeftRight}
                label="Swap baseline and candidate"
                onClick={() => changeParams(withEvaluations(evaluations.toReversed()))}
              />
            </li>
          )}
        </Fragment>
      ))}
      {canAdd && evaluations.length < MAX_EVALUATIONS && (
        <li>
          <Menu variant="plain" icon={Plus} isIconOnly label={`Add an evaluation, up to ${MAX_EVALUATIONS}`}>
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

/** The menu of a compared evaluation: opens, moves, replaces or removes it. */
function EvaluationActions({ state: { params, comparison }, id, canAdd }: EvaluationActionsProps) {
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
