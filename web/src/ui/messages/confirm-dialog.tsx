// A dialog that asks for confirmation. Render it only while it is open.
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { closeDialog, Dialog, DialogButtons } from './dialog.tsx'

interface ConfirmDialogProps {
  title: string
  buttonLabel: string
  isDisabled?: boolean
  onClose: () => void
  onConfirm: () => void
  children: ReactNode
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, buttonLabel, isDisabled = false, onClose, onConfirm, children } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <form method="dialog" onSubmit={onConfirm}>
        {children}
        <DialogButtons>
          <Button onClick={closeDialog}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={isDisabled}>
            {buttonLabel}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
