// The dialog that asks for a row number.
import { useQueryClient } from '@tanstack/react-query'
import { AssayError } from 'assay-client'
import { type FormEvent, useState } from 'react'
import { formatCount } from '../format/numbers.ts'
import type { WindowQuery } from '../queries/row-window.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/messages/dialog.tsx'
import { findScenario } from './find-scenario.ts'

interface JumpDialogProps {
  /** The evaluation that the numbers belong to. */
  evaluation: string
  /** Finds the position of a scenario among the rows of the table. */
  positionQuery: (scenario: string) => WindowQuery<{ located?: number | null | undefined }>
  onFound: (index: number) => void
  onClose: () => void
}

export function JumpDialog({ evaluation, positionQuery, onFound, onClose }: JumpDialogProps) {
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
