// The header of an open row: its number, id and position, navigation to other rows and matches, and its actions.
import { ChevronDown, ChevronUp, Ellipsis, StepBack, StepForward, X } from 'lucide'
import type { ReactNode } from 'react'
import { formatCount } from '../format/numbers.ts'
import type { RowWindow } from '../queries/row-window.ts'
import { type Shortcuts, useLoadingPanel, useShortcuts } from '../state/shortcuts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Menu, MenuItem, MenuItems, MenuSeparator } from '../ui/menus/menu.tsx'
import styles from './panel-header.module.css'
import type { RowNavigation } from './row-navigation.ts'

interface PanelHeaderProps {
  navigation: RowNavigation<Omit<RowWindow<unknown>, 'rows'>>
  /** The number of the row in its evaluation, and the id of its scenario, once known. */
  number: number | undefined
  id: string
  /** What the row and a match are called: "scenario", "failure". */
  noun: 'scenario' | 'row'
  matchName: string
  headingLevel?: 1 | 2
  /** While the row is loading, keys act only on the panel. */
  isLoading: boolean
  /** Removes the filters that exclude the row. */
  onShowAll: () => void
  onClose: () => void
  shortcuts?: Shortcuts
  /** The last items of the menu of further actions. */
  menuItems?: ReactNode
  /** The buttons before that menu. */
  children: ReactNode
}

export function PanelHeader(props: PanelHeaderProps) {
  const { navigation, number, id, noun, matchName, headingLevel = 2, onShowAll, onClose } = props
  const { position, canMove, move, moveToMatch } = navigation
  useLoadingPanel(props.isLoading)
  useShortcuts('panel', {
    j: { label: `Next ${noun}`, run: () => move(1) },
    k: { label: `Previous ${noun}`, run: () => move(-1) },
    n: { label: `Next ${matchName}`, run: () => moveToMatch(1) },
    N: { label: `Previous ${matchName}`, run: () => moveToMatch(-1) },
    Escape: { label: `Close ${noun}`, run: onClose },
    ...props.shortcuts,
  })
  const Heading = `h${headingLevel}` as const
  return (
    <header className={styles.header}>
      <div className={styles.position}>
        <Heading>Row {number !== undefined && formatCount(number)}</Heading>
        <code className={styles.id} data-tooltip={id}>
          <span className="sr-only">Scenario </span>
          {id}
        </code>
        {typeof position?.located === 'number' && (
          <span className={styles.count}>
            {formatCount(position.located + 1)} of {formatCount(position.total)}
          </span>
        )}
        {position?.located === null && (
          <p role="status" className={styles.outside}>
            not in the current filter{' '}
            <Button size="small" onClick={onShowAll}>
              Show all
            </Button>
          </p>
        )}
      </div>
      <div role="group" aria-label={`Other ${noun}s`} className={styles.group}>
        <IconButton
          icon={ChevronUp}
          size="small"
          label={`Previous ${noun}`}
          shortcut="k"
          disabled={!canMove(-1)}
          onClick={() => move(-1)}
        />
        <IconButton
          icon={ChevronDown}
          size="small"
          label={`Next ${noun}`}
          shortcut="j"
          disabled={!canMove(1)}
          onClick={() => move(1)}
        />
      </div>
      <div role="group" aria-label={`This ${noun}`} className={styles.group}>
        {props.children}
        <Menu icon={Ellipsis} isIconOnly variant="plain" size="small" align="end" label="More">
          <MenuItems>
            <MenuItem icon={StepForward} shortcut="n" onClick={() => moveToMatch(1)}>
              Next {matchName}
            </MenuItem>
            <MenuItem icon={StepBack} shortcut="N" onClick={() => moveToMatch(-1)}>
              Previous {matchName}
            </MenuItem>
            {props.menuItems && <MenuSeparator />}
            {props.menuItems}
          </MenuItems>
        </Menu>
        <IconButton icon={X} size="small" label="Close" shortcut="Esc" onClick={onClose} />
      </div>
    </header>
  )
}
