// The # key: asks for a row number and moves to that row.
import { useQueryClient } from '@tanstack/react-query'
import { AssayError } from 'assay-client'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyComponent } from '../api/lazy-modules.ts'
import { formatCount } from '../format/numbers.ts'
import type { RowSource } from '../queries/row-window.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import type { TableState } from './table-state.ts'

const JumpDialog = lazyComponent(async () => (await import('./jump-dialog.tsx')).JumpDialog)

/** Finds a row by its number. */
export type FindRow<Ref> = (number: number) => Promise<Ref | undefined>

/** Returns the dialog while it is open. */
export function useJumpToRow<Row, Ref>(
  { roving, scroll }: TableState<Row>,
  source: RowSource<Row, Ref>,
  findRow: FindRow<Ref> | undefined,
): ReactNode {
  const queryClient = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  useShortcuts('page', findRow ? { '#': { label: 'Go to row number', run: () => setIsOpen(true) } } : {})
  /** Returns why the row is not in the table, or undefined after moving to it. */
  async function jump(number: number): Promise<string | undefined> {
    try {
      const ref = await findRow?.(number)
      if (ref === undefined) return `There is no row ${formatCount(number)}.`
      const { located } = await queryClient.fetchQuery(source.positionQuery(ref))
      if (typeof located !== 'number') return `Row ${formatCount(number)} does not match the filters.`
      setIsOpen(false)
      roving.focusCell({ row: located, column: 0 })
      scroll.scrollToRow(located)
      return undefined
    } catch (error) {
      return error instanceof AssayError ? error.detail : 'The server cannot be reached.'
    }
  }
  return (
    isOpen && (
      <Suspense>
        <JumpDialog onJump={jump} onClose={() => setIsOpen(false)} />
      </Suspense>
    )
  )
}
