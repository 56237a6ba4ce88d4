// Renames and deletes an evaluation, for keys that may write.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { assay } from '../api.ts'
import { counted } from '../format/numbers.ts'
import { Menu } from '../parts/menu.tsx'
import question from '../parts/question.module.css'
import { toast } from '../shell/toasts.tsx'
import styles from './head.module.css'

export function EvaluationMenu({ evaluation }: { evaluation: Evaluation }) {
  const renaming = useRef<HTMLDialogElement>(null)
  const deleting = useRef<HTMLDialogElement>(null)
  return (
    <>
      <Menu
        className={styles.more}
        title="Rename, delete"
        label={
          <>
            <span className="unseen">More</span>⋯
          </>
        }
      >
        <div className="options">
          <button type="button" className="plain" onClick={() => renaming.current?.showModal()}>
            Rename…
          </button>
          <button type="button" className="plain" onClick={() => deleting.current?.showModal()}>
            Delete…
          </button>
        </div>
      </Menu>
      <Rename ref={renaming} evaluation={evaluation} />
      <Delete ref={deleting} evaluation={evaluation} />
    </>
  )
}

interface AboutEvaluation {
  ref: Ref<HTMLDialogElement>
  evaluation: Evaluation
}

function Rename({ ref, evaluation: { id, name } }: AboutEvaluation) {
  const [text, setText] = useState(name ?? '')
  const field = useId()
  const queries = useQueryClient()
  const rename = useMutation({
    mutationFn: () => assay.changeEvaluation(id, { name: text.trim() === '' ? null : text.trim() }),
    onSuccess: () => queries.invalidateQueries(),
    onError: (error) => toast(`It was not renamed. ${error.message}`),
  })
  return (
    <Question ref={ref} title="Rename the evaluation" action="Rename" onConfirm={() => rename.mutate()}>
      <label htmlFor={field}>Name</label>
      <input id={field} value={text} onChange={(event) => setText(event.target.value)} />
    </Question>
  )
}

function Delete({ ref, evaluation: { id, name, scenario_count } }: AboutEvaluation) {
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
      ref={ref}
      title="Delete the evaluation"
      action="Delete"
      isRefused={typed !== expected}
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
  ref: Ref<HTMLDialogElement>
  title: string
  action: string
  isRefused?: boolean
  onConfirm: () => void
  children: ReactNode
}

function Question({ ref, title, action, isRefused = false, onConfirm, children }: QuestionProps) {
  const heading = useId()
  return (
    <dialog ref={ref} aria-labelledby={heading} className={question.question}>
      <form method="dialog" onSubmit={onConfirm}>
        <h2 id={heading}>{title}</h2>
        {children}
        <div className={question.answers}>
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
