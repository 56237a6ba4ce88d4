// Where a scenario stands, the way to the others, and what can be done with it.
import { useSearch } from '@tanstack/react-router'
import type { EvaluationScenario } from 'assay-client'
import { useEffect, useRef } from 'react'
import { useChangeSearch } from '../change-search.ts'
import { confinementOf, type Shown } from '../evaluation/shown.ts'
import { withoutFilters } from '../evaluation/view.ts'
import { viewLink } from '../evaluation/view-link.ts'
import { count } from '../format/numbers.ts'
import { ViewActions } from '../parts/view-actions.tsx'
import type { Search } from '../search.ts'
import { useMayWrite } from '../shell/key.ts'
import { useShortcuts } from '../shortcuts.ts'
import type { Frame } from './frame.ts'
import { useMark } from './mark.ts'
import type { Moves } from './moves.ts'
import type { Opened } from './opened.ts'
import styles from './scenario.module.css'

interface HeadProps {
  shown: Shown
  id: string
  opened: Opened | undefined
  moves: Moves
  frame: Frame
  isNoting: boolean
  onNote: () => void
}

export function Head({ shown, id, opened, moves, frame, isNoting, onNote }: HeadProps) {
  const mayWrite = useMayWrite()
  const search: Search = useSearch({ strict: false })
  const linkToView = () =>
    viewLink(
      location.origin + location.pathname,
      { ...search, tab: opened?.tab },
      { ...shown.view, base: shown.base },
    )
  const { canMove, move, moveToFailure } = moves
  useShortcuts('panel', {
    j: () => move(1),
    k: () => move(-1),
    n: () => moveToFailure(1),
    N: () => moveToFailure(-1),
    f: frame.switchFrame,
    Escape: frame.close,
  })
  const isPage = frame.kind === 'page'
  return (
    <header className={styles.head}>
      <Place shown={shown} moves={moves} isPage={isPage} />
      <div role="group" aria-label="Other scenarios" className={styles.group}>
        <button type="button" disabled={!canMove(-1)} title="Previous scenario (k)" onClick={() => move(-1)}>
          ◀<span className="unseen">Previous scenario</span>
        </button>
        <button type="button" disabled={!canMove(1)} title="Next scenario (j)" onClick={() => move(1)}>
          ▶<span className="unseen">Next scenario</span>
        </button>
        {shown.evaluation && (
          <span className={styles.joined}>
            <button type="button" title="The failure before this row (N)" onClick={() => moveToFailure(-1)}>
              ◂<span className="unseen">Previous failure</span>
            </button>
            <button type="button" title="The failure behind this row (n)" onClick={() => moveToFailure(1)}>
              Next failure ▸
            </button>
          </span>
        )}
      </div>
      <div role="group" aria-label="This scenario" className={styles.actions}>
        {mayWrite && opened && <Pin evaluationId={shown.id} scenario={opened.scenario} />}
        {mayWrite && opened && (
          <NoteButton hasNote={opened.scenario.note !== null} isNoting={isNoting} onNote={onNote} />
        )}
        <ViewActions
          link={linkToView}
          confined_to={confinementOf(shown)}
          call={callOf(shown.id, id)}
          layer="panel"
        />
        <button
          type="button"
          title={isPage ? 'Beside the table (f)' : 'Full page (f)'}
          onClick={frame.switchFrame}
        >
          {isPage ? '⇲' : '⇱'}
          <span className="unseen">{isPage ? 'Beside the table' : 'Full page'}</span>
        </button>
        <button type="button" title="Close (Esc)" onClick={frame.close}>
          ✕<span className="unseen">Close</span>
        </button>
      </div>
    </header>
  )
}

function Place({ shown, moves, isPage }: Pick<HeadProps, 'shown' | 'moves'> & { isPage: boolean }) {
  const change = useChangeSearch()
  const { place } = moves
  const Heading = isPage ? 'h1' : 'h2'
  const isLeftOut = place !== undefined && place.located === null
  return (
    <div className={styles.place}>
      <Heading>
        {typeof place?.located === 'number' ? (
          <>
            #{count(place.located + 1)} <span className="soft">of {count(place.total)}</span>
          </>
        ) : (
          'Scenario'
        )}
      </Heading>
      {isLeftOut && (
        <p role="status">
          not in the current filter{' '}
          <button type="button" onClick={() => change(withoutFilters(shown.view.filters))}>
            Show all
          </button>
        </p>
      )}
    </div>
  )
}

function Pin({ evaluationId, scenario }: { evaluationId: string; scenario: EvaluationScenario }) {
  const mark = useMark(evaluationId, scenario.id)
  const isPinned = scenario.is_pinned === true
  const pin = () => !mark.isPending && mark.mutate({ is_pinned: !isPinned })
  useShortcuts('panel', { p: pin })
  return (
    <>
      <button type="button" aria-pressed={isPinned} disabled={mark.isPending} title="Pin (p)" onClick={pin}>
        {mark.isPending ? 'Saving…' : isPinned ? 'Pinned' : 'Pin'}
      </button>
      {mark.error && <span role="alert">Not saved: {mark.error.message}</span>}
    </>
  )
}

interface NoteButtonProps {
  hasNote: boolean
  isNoting: boolean
  onNote: () => void
}

function NoteButton({ hasNote, isNoting, onNote }: NoteButtonProps) {
  useShortcuts('panel', { e: onNote })
  const button = useRef<HTMLButtonElement>(null)
  // The place to write goes with its focus.
  const wasNoting = useRef(isNoting)
  useEffect(() => {
    if (wasNoting.current && !isNoting && document.activeElement === document.body) button.current?.focus()
    wasNoting.current = isNoting
  }, [isNoting])
  return (
    <button ref={button} type="button" title="Write a note (e)" onClick={onNote}>
      {hasNote ? 'Edit note' : 'Note'}
    </button>
  )
}

function callOf(evaluationId: string, id: string) {
  const path = [evaluationId, 'evaluation_scenarios', id].map(encodeURIComponent).join('/')
  const words = [evaluationId, id].map((word) => JSON.stringify(word)).join(', ')
  return {
    path: `/api/evaluations/${path}?include=extra`,
    client: `getEvaluationScenario(${words}, { include: 'extra' })`,
  }
}
