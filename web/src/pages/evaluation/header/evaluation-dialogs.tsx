// The dialogs that rename and delete an evaluation.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { type ReactNode, useId, useState } from 'react'
import { assay } from '../../../api/client.ts'
import { pluralize } from '../../../format/numbers.ts'
import styles from '../../../ui/confirmation.module.css'
import { showModal } from '../../../ui/focus.ts'
import { toast } from '../../../ui/toasts.tsx'

interface DialogProps {
  evaluation: Evaluation
  onClose: () => void
}

export function RenameDialog({ evaluation: { id, name }, onClose }: DialogProps) {
  const [text, setText] = useState(name ?? '')
  const field = useId()
  const queries = useQueryClient()
  const rename = useMutation({
    mutationFn: () => assay.changeEvaluation(id, { name: text.trim() === '' ? null : text.trim() }),
    onSuccess: () => queries.invalidateQueries(),
    onError: (error) => toast(`Not renamed. ${error.message}`),
  })
  return (
    <ConfirmDialog
      title="Rename evaluation"
      action="Rename"
      onClose={onClose}
      onConfirm={() => rename.mutate()}
    >
      <label htmlFor={field}>Name</label>
      <input id={field} value={text} onChange={(event) => setText(event.target.value)} />
    </ConfirmDialog>
  )
}

export function DeleteDialog({ evaluation: { id, name, scenario_count }, onClose }: DialogProps) {
  const [typed, setTyped] = useState('')
  const field = useId()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => assay.deleteEvaluation(id),
    onSuccess: async () => {
      await navigate({ to: '/' })
      queries.removeQueries({ queryKey: ['evaluation', id] })
      await queries.invalidateQueries()
      toast(`Deleted ${name ?? id}.`)
    },
    onError: (error) => toast(`Not deleted. ${error.message}`),
  })
  const expected = name ?? id
  return (
    <ConfirmDialog
      title="Delete evaluation"
      action="Delete"
      isDisabled={typed !== expected}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    >
      <p>
        This deletes {pluralize(scenario_count, 'scenario')} with all results, pins and notes. You cannot undo
        it.
      </p>
      <label htmlFor={field}>
        Type <strong>{expected}</strong> to confirm
      </label>
      <input
        id={field}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmDialog>
  )
}

interface ConfirmDialogProps {
  title: string
  action: string
  isDisabled?: boolean
  onClose: () => void
  onConfirm: () => void
  children: ReactNode
}

function ConfirmDialog({
  title,
  action,
  isDisabled = false,
  onClose,
  onConfirm,
  children,
}: ConfirmDialogProps) {
  const heading = useId()
  return (
    <dialog ref={showModal} aria-labelledby={heading} className={styles.dialog} onClose={onClose}>
      <form method="dialog" onSubmit={onConfirm}>
        <h2 id={heading}>{title}</h2>
        {children}
        <div className={styles.buttons}>
          <button type="button" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={isDisabled}>
            {action}
          </button>
        </div>
      </form>
    </dialog>
  )
}
