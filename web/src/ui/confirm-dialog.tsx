// A dialog that asks for confirmation. Render it only while it is open.
import { type ReactNode, useId } from 'react'
import styles from './confirmation.module.css'
import { showModal } from './focus.ts'

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
  const headingId = useId()
  return (
    <dialog ref={showModal} aria-labelledby={headingId} className={styles.dialog} onClose={onClose}>
      <form method="dialog" onSubmit={onConfirm}>
        <h2 id={headingId}>{title}</h2>
        {children}
        <div className={styles.buttons}>
          <button type="button" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={isDisabled}>
            {buttonLabel}
          </button>
        </div>
      </form>
    </dialog>
  )
}
