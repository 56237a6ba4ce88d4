// The dialog that asks for a row number.
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/messages/dialog.tsx'

interface JumpDialogProps {
  /** Returns why the row is not in the table. */
  onJump: (number: number) => Promise<string | undefined>
  onClose: () => void
}

export function JumpDialog({ onJump, onClose }: JumpDialogProps) {
  const [text, setText] = useState('')
  const [message, setMessage] = useState<string>()
  async function submit(event: FormEvent) {
    event.preventDefault()
    setMessage(await onJump(Number(text)))
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
