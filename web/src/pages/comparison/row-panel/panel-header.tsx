// Header of the row panel: position of the row, navigation to other rows, actions and close.
import { useSearch } from '@tanstack/react-router'
import { formatCount } from '../../../format/numbers.ts'
import shared from '../../../row-panel/row-panel.module.css'
import { ViewActions } from '../../../share/view-actions.tsx'
import { viewLink } from '../../../share/view-link.ts'
import { withoutFilters } from '../../../state/row-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import type { ComparisonState } from '../page-state.ts'
import { viewCall } from '../queries.ts'
import type { RowNavigation } from './row-navigation.ts'

interface PanelHeaderProps {
  state: ComparisonState
  navigation: RowNavigation
  onClose: () => void
}

export function PanelHeader({ state, navigation, onClose }: PanelHeaderProps) {
  const search = useSearch({ from: '/compare' })
  const { canMove, move, moveToRegression } = navigation
  useShortcuts('panel', {
    j: () => move(1),
    k: () => move(-1),
    n: () => moveToRegression(1),
    N: () => moveToRegression(-1),
    Escape: onClose,
  })
  return (
    <header className={shared.header}>
      <Position state={state} navigation={navigation} />
      <div role="group" aria-label="Row navigation" className={shared.group}>
        <button type="button" disabled={!canMove(-1)} title="Previous row (k)" onClick={() => move(-1)}>
          ◀<span className="sr-only">Previous row</span>
        </button>
        <button type="button" disabled={!canMove(1)} title="Next row (j)" onClick={() => move(1)}>
          ▶<span className="sr-only">Next row</span>
        </button>
        <span className="button-group">
          <button type="button" title="Previous regression (N)" onClick={() => moveToRegression(-1)}>
            ◂<span className="sr-only">Previous regression</span>
          </button>
          <button type="button" title="Next regression (n)" onClick={() => moveToRegression(1)}>
            Next regression ▸
          </button>
        </span>
      </div>
      <div role="group" aria-label="Row actions" className={shared.actions}>
        <ViewActions
          link={() => viewLink(location.origin + location.pathname, search, state.params)}
          confined_to={{ comparison: state.params.evaluations }}
          call={viewCall({ ...state.query, on: state.evaluator }, state.params.row)}
          layer="panel"
        />
        <button type="button" title="Close (Esc)" onClick={onClose}>
          ✕<span className="sr-only">Close</span>
        </button>
      </div>
    </header>
  )
}

type PositionProps = Pick<PanelHeaderProps, 'state' | 'navigation'>

function Position({ state: { params }, navigation: { locatedRows } }: PositionProps) {
  const changeParams = useChangeSearchParams()
  return (
    <div className={shared.position}>
      <h2>
        {typeof locatedRows?.located === 'number' ? (
          <>
            #{formatCount(locatedRows.located + 1)}{' '}
            <span className="muted">of {formatCount(locatedRows.total)}</span>
          </>
        ) : (
          'Row'
        )}
      </h2>
      {locatedRows?.located === null && (
        <p role="status">
          not in the current filter{' '}
          <button
            type="button"
            onClick={() => changeParams({ ...withoutFilters(params.filters), show: 'all' })}
          >
            Show all
          </button>
        </p>
      )}
    </div>
  )
}
