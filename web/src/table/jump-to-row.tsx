// The # key: asks for a row number and moves to that row.
import { type ReactNode, useState } from 'react'
import type { RowSource } from '../queries/row-window.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { JumpDialog } from './jump-dialog.tsx'
import type { TableState } from './table-state.ts'

/** The rows that the numbers belong to. */
export interface NumberedRows<Ref> {
  evaluation: string
  refOf: (scenario: string) => Ref
}

/** Returns the dialog while it is open. */
export function useJumpToRow<Row, Ref>(
  { roving, scroll }: TableState<Row>,
  source: RowSource<Row, Ref>,
  { evaluation, refOf }: NumberedRows<Ref>,
): ReactNode {
  const [isOpen, setIsOpen] = useState(false)
  useShortcuts('page', { '#': { label: 'Go to row number', run: () => setIsOpen(true) } })
  function goTo(row: number): void {
    setIsOpen(false)
    roving.focusCell({ row, column: 0 })
    scroll.scrollToRow(row)
  }
  return (
    isOpen && (
      <JumpDialog
        evaluation={evaluation}
        positionQuery={(scenario) => source.positionQuery(refOf(scenario))}
        onFound={goTo}
        onClose={() => setIsOpen(false)}
      />
    )
  )
}
