// The compared evaluations, the baseline first, each with a menu; a button to swap two, and a menu to add one.
import { ArrowLeftRight, Plus } from 'lucide'
import { Fragment, Suspense } from 'react'
import { useRestriction } from '../../../api/restriction.ts'
import { EvaluationPicker } from '../../../navigation/evaluation-picker.tsx'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { Menu } from '../../../ui/menus/menu.tsx'
import { lazyComponent } from '../../../ui/messages/lazy-component.tsx'
import { Loading } from '../../../ui/messages/loading.tsx'
import { evaluationName, shortName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { MAX_EVALUATIONS, withEvaluations } from '../search-params.ts'
import styles from './header.module.css'

const EvaluationActions = lazyComponent(
  async () => (await import('./evaluation-actions.tsx')).EvaluationActions,
)

export function EvaluationPickers({ state }: { state: ComparisonState }) {
  const { params, comparison } = state
  const { evaluations } = params
  const changeParams = useChangeSearchParams()
  // A restricted key cannot read other evaluations.
  const canAdd = useRestriction() === null
  return (
    <ul
      className={evaluations.length > 2 ? `${styles.evaluations} ${styles.many}` : styles.evaluations}
      aria-label="Compared evaluations"
    >
      {evaluations.map((id, index) => (
        <Fragment key={id}>
          <li>
            <Menu
              className={styles.evaluation}
              title={`${index === 0 ? 'Baseline' : 'Candidate'}: ${evaluationName(comparison, id)}`}
              label={
                <>
                  {index === 0 && <Badge>baseline</Badge>}
                  <span className={styles.name}>{evaluationName(comparison, id)}</span>
                  <span className={styles.shortName}>{shortName(comparison, id)}</span>
                </>
              }
            >
              <Suspense fallback={<Loading />}>
                <EvaluationActions state={state} id={id} canAdd={canAdd} />
              </Suspense>
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
