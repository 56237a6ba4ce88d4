// The dialog that asks for a row number.
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { focusOnMount } from '../ui/focus.ts'

interface JumpDialogProps {
  /** Returns why the row is not in the table. */
  onJump: (number: number) => Promise<string | undefined>
  onClose: () => void
}

export function JumpDialog({ onJump, onClose }: JumpDialogProps) {
  const id = useId()
  const [text, setText] = useState('')
  const [message, setMessage] = useState<string>()
  async function submit(event: FormEvent) {
    event.preventDefault()
    setMessage(await onJump(Number(text)))
  }
  return (
    <Dialog title="Go to row" onClose={onClose}>
      <form onSubmit={submit}>
        <label htmlFor={id}>Row number</label>
        <input
          id={id}
          ref={focusOnMount}
          type="number"
          min={1}
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p role="status">{message}</p>
        <DialogButtons>
          <Button type="submit" variant="primary">
            Go
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
