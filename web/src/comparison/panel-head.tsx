// Where a row stands in the view, the way to the others, and out.
import { useSearch } from '@tanstack/react-router'
import { useChangeSearch } from '../change-search.ts'
import { withoutFilters } from '../evaluation/view.ts'
import { viewLink } from '../evaluation/view-link.ts'
import { count } from '../format/numbers.ts'
import { ViewActions } from '../parts/view-actions.tsx'
import shared from '../scenario/scenario.module.css'
import type { Search } from '../search.ts'
import { useShortcuts } from '../shortcuts.ts'
import type { PanelMoves } from './panel-moves.ts'
import type { Shown } from './shown.ts'
import { viewCall } from './view-call.ts'

interface PanelHeadProps {
  shown: Shown
  moves: PanelMoves
  onClose: () => void
}

export function PanelHead({ shown, moves, onClose }: PanelHeadProps) {
  const search: Search = useSearch({ strict: false })
  const { canMove, move, moveToRegression } = moves
  useShortcuts('panel', {
    j: () => move(1),
    k: () => move(-1),
    n: () => moveToRegression(1),
    N: () => moveToRegression(-1),
    Escape: onClose,
  })
  return (
    <header className={shared.head}>
      <Place shown={shown} moves={moves} />
      <div role="group" aria-label="Other rows" className={shared.group}>
        <button type="button" disabled={!canMove(-1)} title="Previous row (k)" onClick={() => move(-1)}>
          ◀<span className="unseen">Previous row</span>
        </button>
        <button type="button" disabled={!canMove(1)} title="Next row (j)" onClick={() => move(1)}>
          ▶<span className="unseen">Next row</span>
        </button>
        <span className={shared.joined}>
          <button
            type="button"
            title="The regression before this row (N)"
            onClick={() => moveToRegression(-1)}
          >
            ◂<span className="unseen">Previous regression</span>
          </button>
          <button
            type="button"
            title="The regression behind this row (n)"
            onClick={() => moveToRegression(1)}
          >
            Next regression ▸
          </button>
        </span>
      </div>
      <div role="group" aria-label="This row" className={shared.actions}>
        <ViewActions
          link={() => viewLink(location.origin + location.pathname, search, shown.view)}
          confined_to={{ comparison: shown.view.evaluations }}
          call={viewCall({ ...shown.question, on: shown.on }, shown.view.row)}
          layer="panel"
        />
        <button type="button" title="Close (Esc)" onClick={onClose}>
          ✕<span className="unseen">Close</span>
        </button>
      </div>
    </header>
  )
}

function Place({ shown: { view }, moves: { place } }: Pick<PanelHeadProps, 'shown' | 'moves'>) {
  const change = useChangeSearch()
  return (
    <div className={shared.place}>
      <h2>
        {typeof place?.located === 'number' ? (
          <>
            #{count(place.located + 1)} <span className="soft">of {count(place.total)}</span>
          </>
        ) : (
          'Row'
        )}
      </h2>
      {place?.located === null && (
        <p role="status">
          not in the current filter{' '}
          <button type="button" onClick={() => change({ ...withoutFilters(view.filters), show: 'all' })}>
            Show all
          </button>
        </p>
      )}
    </div>
  )
}
