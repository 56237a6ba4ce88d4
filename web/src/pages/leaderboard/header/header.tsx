// Header of the leaderboard: what is ranked, actions, and the conclusion in one sentence.
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Leaderboard } from 'assay-client'
import { GitCompareArrows } from 'lucide'
import { useCanRead } from '../../../api/restriction.ts'
import { pluralize } from '../../../format/numbers.ts'
import { ListCrumb } from '../../../navigation/links.tsx'
import shared from '../../../revisions/header.module.css'
import { ShareMenu } from '../../../share/share-menu.tsx'
import { stringifySearch } from '../../../state/search-params.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { leaderboardCall } from '../queries.ts'
import type { LeaderboardParams } from '../search-params.ts'
import { MAX_COMPARED_EVALUATIONS, type Selection } from '../selection.ts'
import { Conclusion } from './conclusion.tsx'

interface HeaderProps {
  params: LeaderboardParams
  leaderboard: Leaderboard
  selection: Selection
}

export function Header({ params, leaderboard, selection }: HeaderProps) {
  const { variantId, query, tab } = params
  const search = useSearch({ from: '/leaderboard' })
  const canRead = useCanRead()
  const { evaluations, shared_rows } = leaderboard
  const ids = evaluations.map(({ id }) => id)
  return (
    <>
      <header className={shared.header}>
        <div className={shared.title}>
          <nav aria-label="Breadcrumb">
            <ListCrumb to="/" />
            {variantId !== undefined && canRead('variant', variantId) && (
              <>
                <Link to="/variants/$variantId" params={{ variantId }}>
                  {variantId}
                </Link>{' '}
                <span aria-hidden="true">/</span>
              </>
            )}
          </nav>
          <h1>Leaderboard</h1>
          <span className="quiet">
            {pluralize(evaluations.length, 'evaluation')} on the same {pluralize(shared_rows, 'row')}
          </span>
        </div>
        <div className={shared.tools}>
          <CompareButton selection={selection} />
          <ShareMenu
            link={() => ({ link: location.origin + location.pathname + stringifySearch(search) })}
            // A share link opens at most as many evaluations as a comparison.
            confined_to={ids.length <= MAX_COMPARED_EVALUATIONS ? { comparison: ids } : undefined}
            call={leaderboardCall(query, tab)}
          />
        </div>
      </header>
      <Conclusion leaderboard={leaderboard} />
    </>
  )
}

function CompareButton({ selection: { ids } }: { selection: Selection }) {
  const navigate = useNavigate()
  const reason =
    ids.length < 2
      ? 'Select at least two evaluations.'
      : ids.length > MAX_COMPARED_EVALUATIONS
        ? `Select at most ${MAX_COMPARED_EVALUATIONS} evaluations.`
        : undefined
  const compare = () => {
    if (reason === undefined) void navigate({ to: '/compare', search: { evaluation: ids } })
  }
  useShortcuts('page', { c: { label: 'Compare the selected evaluations', run: compare } })
  return (
    <Button
      variant="primary"
      icon={GitCompareArrows}
      shortcut="c"
      tooltip={reason ?? 'Compare the selected evaluations row by row'}
      aria-disabled={reason !== undefined}
      onClick={compare}
    >
      Compare {ids.length}
    </Button>
  )
}
