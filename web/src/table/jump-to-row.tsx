// The # key: asks for a row number and moves to that row.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { AssayError } from 'assay-client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { formatCount } from '../format/numbers.ts'
import { evaluationRows } from '../queries/evaluations.ts'
import type { RowSource, WindowQuery } from '../queries/row-window.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/messages/dialog.tsx'
import { findByNumber } from './find-number.ts'
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
  numbered: NumberedRows<Ref> | undefined,
): ReactNode {
  const [isOpen, setIsOpen] = useState(false)
  useShortcuts('page', numbered ? { '#': { label: 'Go to row number', run: () => setIsOpen(true) } } : {})
  function goTo(row: number): void {
    setIsOpen(false)
    roving.focusCell({ row, column: 0 })
    scroll.scrollToRow(row)
  }
  return (
    isOpen &&
    numbered && (
      <JumpDialog
        evaluation={numbered.evaluation}
        positionQuery={(scenario) => source.positionQuery(numbered.refOf(scenario))}
        onFound={goTo}
        onClose={() => setIsOpen(false)}
      />
    )
  )
}

interface JumpDialogProps {
  /** The evaluation that the numbers belong to. */
  evaluation: string
  /** Finds the position of a scenario among the rows of the table. */
  positionQuery: (scenario: string) => WindowQuery<{ located?: number | null | undefined }>
  onFound: (index: number) => void
  onClose: () => void
}

/** The dialog that asks for a row number. */
function JumpDialog({ evaluation, positionQuery, onFound, onClose }: JumpDialogProps) {
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const [message, setMessage] = useState<string>()
  async function submit(event: FormEvent) {
    event.preventDefault()
    setMessage(await jump(Number(text)))
  }
  /** Returns why the row is not in the table, or undefined after moving to it. */
  async function jump(number: number): Promise<string | undefined> {
    try {
      const scenario = await findScenario(queryClient, evaluation, number)
      if (scenario === undefined) return `There is no row ${formatCount(number)}.`
      const { located } = await queryClient.fetchQuery(positionQuery(scenario))
      if (typeof located !== 'number') return `Row ${formatCount(number)} does not match the filters.`
      onFound(located)
      return undefined
    } catch (error) {
      return error instanceof AssayError ? error.detail : 'The server cannot be reached.'
    }
  }
  return (
    <Dialog title="Go to row number" onClose={onClose}>
      <form onSubmit={submit}>
        <input
          aria-label="Row number"
          ref={(input) => input?.setAttribute('autofocus', '')}
          type="number"
          min={1}
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p role="status" className={message ? 'worse' : 'sr-only'}>
          {message}
        </p>
        <DialogButtons>
          <Button type="submit" variant="primary">
            Go
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

/** The id of the scenario with a number in an evaluation. */
async function findScenario(
  queryClient: QueryClient,
  evaluation: string,
  number: number,
): Promise<string | undefined> {
  const { rowQuery } = evaluationRows(evaluation, { filters: [] })
  const readRow = async (index: number) => (await queryClient.fetchQuery(rowQuery(index))).rows[0]
  return (await findByNumber(number, readRow))?.id
}
