// A modal dialog with a title and a close button. Render it only while it is open.
import { X } from 'lucide'
import { type ReactNode, useId } from 'react'
import { Button, IconButton } from '../button.tsx'
import { showModal } from '../focus.ts'
import styles from './dialog.module.css'

interface DialogProps {
  title: string
  onClose: () => void
  isWide?: boolean
  /** At the bottom of narrow windows. */
  isSheet?: boolean
  children: ReactNode
}

export function Dialog({ title, onClose, isWide = false, isSheet = false, children }: DialogProps) {
  const headingId = useId()
  return (
    <dialog
      ref={showModal}
      aria-labelledby={headingId}
      className={[styles.dialog, isWide && styles.wide, isSheet && styles.sheet].filter(Boolean).join(' ')}
      onClose={onClose}
    >
      <div className={styles.header}>
        <h2 id={headingId}>{title}</h2>
        <IconButton icon={X} label="Close" shortcut="Esc" size="small" onClick={closeDialog} />
      </div>
      <div className={styles.body}>{children}</div>
    </dialog>
  )
}

/** For buttons inside a dialog. */
export function closeDialog(event: { currentTarget: Element }): void {
  event.currentTarget.closest('dialog')?.close()
}

/** The buttons at the end of a dialog: the primary button last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}

interface ConfirmDialogProps {
  title: string
  buttonLabel: string
  isDisabled?: boolean
  onClose: () => void
  onConfirm: () => void
  children: ReactNode
}

/** A dialog that asks for confirmation. Render it only while it is open. */
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
