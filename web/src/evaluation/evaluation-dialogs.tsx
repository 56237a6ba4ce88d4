// Asks for the new name of an evaluation, and whether it is to be deleted.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { type ReactNode, useId, useState } from 'react'
import { assay } from '../api.ts'
import { counted } from '../format/numbers.ts'
import { showModal } from '../parts/focus.ts'
import styles from '../parts/question.module.css'
import { toast } from '../shell/toasts.tsx'

interface AboutEvaluation {
  evaluation: Evaluation
  onClose: () => void
}

export function RenameDialog({ evaluation: { id, name }, onClose }: AboutEvaluation) {
  const [text, setText] = useState(name ?? '')
  const field = useId()
  const queries = useQueryClient()
  const rename = useMutation({
    mutationFn: () => assay.changeEvaluation(id, { name: text.trim() === '' ? null : text.trim() }),
    onSuccess: () => queries.invalidateQueries(),
    onError: (error) => toast(`It was not renamed. ${error.message}`),
  })
  return (
    <Question
      title="Rename the evaluation"
      action="Rename"
      onClose={onClose}
      onConfirm={() => rename.mutate()}
    >
      <label htmlFor={field}>Name</label>
      <input id={field} value={text} onChange={(event) => setText(event.target.value)} />
    </Question>
  )
}

export function DeleteDialog({ evaluation: { id, name, scenario_count }, onClose }: AboutEvaluation) {
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
      toast(`${name ?? id} is deleted.`)
    },
    onError: (error) => toast(`It was not deleted. ${error.message}`),
  })
  const expected = name ?? id
  return (
    <Question
      title="Delete the evaluation"
      action="Delete"
      isRefused={typed !== expected}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    >
      <p>
        {counted(scenario_count, 'scenario')} with all results, pins and notes will be gone. This cannot be
        undone.
      </p>
      <label htmlFor={field}>
        Type <strong>{expected}</strong> to go on
      </label>
      <input
        id={field}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Question>
  )
}

interface QuestionProps {
  title: string
  action: string
  isRefused?: boolean
  onClose: () => void
  onConfirm: () => void
  children: ReactNode
}

function Question({ title, action, isRefused = false, onClose, onConfirm, children }: QuestionProps) {
  const heading = useId()
  return (
    <dialog ref={showModal} aria-labelledby={heading} className={styles.question} onClose={onClose}>
      <form method="dialog" onSubmit={onConfirm}>
        <h2 id={heading}>{title}</h2>
        {children}
        <div className={styles.answers}>
          <button type="button" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={isRefused}>
            {action}
          </button>
        </div>
      </form>
    </dialog>
  )
}
