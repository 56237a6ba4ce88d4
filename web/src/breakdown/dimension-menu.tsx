// The menu of what the rows can be grouped by: inputs, results and errors with few groups, each with their number.
import { useQueries } from '@tanstack/react-query'
import { pluralize } from '../format/numbers.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { Menu, MenuHeading, MenuItem, MenuItems } from '../ui/menus/menu.tsx'
import { Loading } from '../ui/messages/loading.tsx'
import styles from './breakdown.module.css'
import { type DimensionNames, dimensionName, dimensionsOf, hasFewGroups } from './dimensions.ts'
import { type BreakdownSubject, breakdownQuery } from './queries.ts'

interface DimensionMenuProps extends BreakdownSubject {
  names: DimensionNames
  evaluator: string | undefined
  dimension: string | undefined
}

export function DimensionMenu(props: DimensionMenuProps) {
  const { dimension } = props
  return (
    <Menu
      label={dimension === undefined ? 'by …' : <bdi className="ellipsis">by {dimensionName(dimension)}</bdi>}
      title="Break down by another field"
      variant="plain"
      size="small"
      className={styles.menu}
    >
      <Dimensions {...props} />
    </Menu>
  )
}

function Dimensions(props: DimensionMenuProps) {
  const changeParams = useChangeSearchParams()
  const { breakdowns, isPending } = useQueries({
    queries: dimensionsOf(props.names, props.evaluator).map((dimension) => breakdownQuery(props, dimension)),
    combine: (results) => ({
      breakdowns: results.flatMap(({ data }) => data ?? []).filter(hasFewGroups),
      isPending: results.some((result) => result.isPending),
    }),
  })
  return (
    <MenuItems>
      <MenuHeading>Inputs, results and errors with 2 to 50 values</MenuHeading>
      {breakdowns.map(({ by, group_count }) => (
        <MenuItem
          key={by}
          isChosen={by === props.dimension}
          detail={pluralize(group_count, 'group')}
          onClick={() => changeParams({ breakdown: by })}
        >
          <bdi className="ellipsis">{dimensionName(by)}</bdi>
        </MenuItem>
      ))}
      {isPending && <Loading description="the fields" />}
      {!isPending && breakdowns.length === 0 && <p className="quiet">There is none in these rows.</p>}
    </MenuItems>
  )
}
