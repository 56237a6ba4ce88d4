// The two views of a leaderboard as links, and the menus that change what is ranked.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Leaderboard } from 'assay-client'
import { Plus } from 'lucide'
import { useRestriction } from '../../../api/restriction.ts'
import { formatCount } from '../../../format/numbers.ts'
import { EvaluationPicker } from '../../../navigation/evaluation-picker.tsx'
import { summaryQuery } from '../../../queries/evaluations.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Menu, MenuItem, MenuItems } from '../../../ui/menus/menu.tsx'
import { Loading } from '../../../ui/messages/loading.tsx'
import { Legend } from '../rows/legend.tsx'
import type { RankedEvaluation } from '../scores.ts'
import { type LeaderboardParams, withEvaluations } from '../search-params.ts'
import styles from './header.module.css'

/** The limit of the API. */
const MAX_RANKED_EVALUATIONS = 50

interface TabsProps {
  params: LeaderboardParams
  leaderboard: Leaderboard
}

export function Tabs({ params: { tab, query }, leaderboard }: TabsProps) {
  const { evaluations, on, is_verdict } = leaderboard
  // A restricted key cannot read other evaluations.
  const canAdd = useRestriction() === null && evaluations.length < MAX_RANKED_EVALUATIONS
  const rowCount = Math.max(...evaluations.map(({ row_count }) => row_count))
  const tabs = [
    { name: 'Ranking', value: undefined, count: evaluations.length },
    { name: 'Rows', value: 'rows', count: rowCount },
  ] as const
  return (
    <>
      <nav aria-label="View" className={styles.tabs}>
        {tabs.map(({ name, value, count }) => (
          <Link
            key={name}
            from="/leaderboard"
            to="/leaderboard"
            search={(old) => ({ ...old, tab: value })}
            activeOptions={{ exact: true }}
          >
            {name} <span className="quiet">{formatCount(count)}</span>
          </Link>
        ))}
      </nav>
      <div className={styles.tools}>
        <Menu label={on} size="small" title="Rank by another evaluator">
          <EvaluatorItems leaderboard={leaderboard} />
        </Menu>
        <span className={`quiet ${styles.measure}`}>
          {is_verdict ? 'pass rate in %' : 'mean score'}, rows that all evaluations share
        </span>
        <span className={styles.end}>
          {tab === 'rows' && <Legend query={query} isVerdict={is_verdict} />}
          {canAdd && <AddMenu evaluations={evaluations} />}
        </span>
      </div>
    </>
  )
}

/** The evaluators of which the best two evaluations have scores. Loaded when the menu opens. */
function EvaluatorItems({ leaderboard: { on, evaluations } }: Pick<TabsProps, 'leaderboard'>) {
  const changeParams = useChangeSearchParams<'/leaderboard'>()
  const { data: best } = useQuery(summaryQuery(evaluations[0]?.id ?? '', { filters: [] }))
  const { data: second } = useQuery(summaryQuery(evaluations[1]?.id ?? '', { filters: [] }))
  if (!best || !second) return <Loading />
  const scored = second.evaluators.filter(({ n }) => n > 0).map(({ name }) => name)
  return (
    <MenuItems>
      {best.evaluators.flatMap(({ name, n }) => {
        if (n === 0 || !scored.includes(name)) return []
        return (
          <MenuItem key={name} isChosen={name === on} onClick={() => changeParams({ on: name })}>
            {name}
          </MenuItem>
        )
      })}
    </MenuItems>
  )
}

function AddMenu({ evaluations }: { evaluations: readonly RankedEvaluation[] }) {
  const changeParams = useChangeSearchParams<'/leaderboard'>()
  const ids = evaluations.map(({ id }) => id)
  return (
    <Menu variant="plain" size="small" icon={Plus} label="Add evaluation" align="end">
      <EvaluationPicker
        excludedIds={ids}
        variantId={evaluations[0]?.variant_id}
        onPick={({ id }) => changeParams(withEvaluations([...ids, id]))}
      />
    </Menu>
  )
}
