// The header of an open row: its position, navigation to other rows and matches, and its actions.
import type { ReactNode } from 'react'
import { formatCount } from '../format/numbers.ts'
import type { RowWindow } from '../queries/row-window.ts'
import { type Shortcuts, useShortcuts } from '../state/shortcuts.ts'
import type { RowNavigation } from './row-navigation.ts'
import styles from './row-panel.module.css'

interface PanelHeaderProps {
  navigation: RowNavigation<Omit<RowWindow<unknown>, 'rows'>>
  /** What the row and a match are called: "scenario", "failure". */
  noun: 'scenario' | 'row'
  matchName: string
  /** False hides the buttons for matches. */
  hasMatches?: boolean
  headingLevel?: 1 | 2
  /** Removes the filters that exclude the row. */
  onShowAll: () => void
  onClose: () => void
  shortcuts?: Shortcuts
  /** The buttons before the one that closes the row. */
  children: ReactNode
}

export function PanelHeader(props: PanelHeaderProps) {
  const { navigation, noun, matchName, hasMatches = true, headingLevel = 2, onShowAll, onClose } = props
  const { position, canMove, move, moveToMatch } = navigation
  useShortcuts('panel', {
    j: () => move(1),
    k: () => move(-1),
    n: () => moveToMatch(1),
    N: () => moveToMatch(-1),
    Escape: onClose,
    ...props.shortcuts,
  })
  const Heading = `h${headingLevel}` as const
  return (
    <header className={styles.header}>
      <div className={styles.position}>
        <Heading>
          {typeof position?.located === 'number' ? (
            <>
              #{formatCount(position.located + 1)}{' '}
              <span className="muted">of {formatCount(position.total)}</span>
            </>
          ) : noun === 'row' ? (
            'Row'
          ) : (
            'Scenario'
          )}
        </Heading>
        {position?.located === null && (
          <p role="status">
            not in the current filter{' '}
            <button type="button" onClick={onShowAll}>
              Show all
            </button>
          </p>
        )}
      </div>
      <div role="group" aria-label={`Other ${noun}s`} className={styles.group}>
        <button type="button" disabled={!canMove(-1)} title={`Previous ${noun} (k)`} onClick={() => move(-1)}>
          ◀<span className="sr-only">Previous {noun}</span>
        </button>
        <button type="button" disabled={!canMove(1)} title={`Next ${noun} (j)`} onClick={() => move(1)}>
          ▶<span className="sr-only">Next {noun}</span>
        </button>
        {hasMatches && (
          <span className="button-group">
            <button type="button" title={`Previous ${matchName} (N)`} onClick={() => moveToMatch(-1)}>
              ◂<span className="sr-only">Previous {matchName}</span>
            </button>
            <button type="button" title={`Next ${matchName} (n)`} onClick={() => moveToMatch(1)}>
              Next {matchName} ▸
            </button>
          </span>
        )}
      </div>
      <div role="group" aria-label={`This ${noun}`} className={styles.actions}>
        {props.children}
        <button type="button" title="Close (Esc)" onClick={onClose}>
          ✕<span className="sr-only">Close</span>
        </button>
      </div>
    </header>
  )
}
