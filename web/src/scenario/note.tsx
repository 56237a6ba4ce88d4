// The note of a scenario, and the place to write it for keys that may.
import type { EvaluationScenario } from 'assay-client'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { timeOfDay } from '../format/times.ts'
import { LongText } from '../parts/long-text.tsx'
import { useMayWrite } from '../shell/key.ts'
import { type Draft, draftOf } from './drafts.ts'
import { useMark } from './mark.ts'
import styles from './scenario.module.css'

interface NoteProps {
  evaluationId: string
  scenario: EvaluationScenario
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
}

export function Note({ evaluationId, scenario, isEditing, onEdit }: NoteProps) {
  const mayWrite = useMayWrite()
  const mark = useMark(evaluationId, scenario.id)
  // Who comes back to a note that is half written has not asked to write on: letters stay keys until then.
  const stop = useRef(() => onEdit(false))
  useEffect(() => stop.current, [])
  const draft = draftOf(evaluationId, scenario.id)
  const isOpen = mayWrite && (isEditing || draft.text() !== undefined)
  if (!isOpen && !scenario.note) return null
  function discard() {
    draft.giveUp()
    mark.reset()
    onEdit(false)
  }
  async function save(note: string) {
    await mark.mutateAsync({ note: note === '' ? null : note })
    // What was typed meanwhile is not saved yet.
    if ((draft.text() ?? note) !== note) return
    draft.giveUp()
    onEdit(false)
  }
  return (
    <section className={styles.note} aria-labelledby="scenario-note">
      <h3 id="scenario-note" className={styles.label}>
        Note
      </h3>
      {isOpen ? (
        <NoteEditor
          note={scenario.note ?? ''}
          draft={draft}
          isAsked={isEditing}
          isSaving={mark.isPending}
          failure={mark.error?.message}
          // A failure is told below.
          onSave={(note) => void save(note).catch(() => undefined)}
          onLeave={() => onEdit(false)}
          onDiscard={discard}
        />
      ) : (
        <p className={styles.noteText}>
          <LongText text={scenario.note ?? ''} />{' '}
          {mark.isSuccess && <span className="soft">saved {timeOfDay(mark.submittedAt)}</span>}{' '}
        </p>
      )}
    </section>
  )
}

interface NoteEditorProps {
  note: string
  draft: Draft
  isAsked: boolean
  isSaving: boolean
  failure: string | undefined
  onSave: (note: string) => void
  onLeave: () => void
  onDiscard: () => void
}

function NoteEditor(props: NoteEditorProps) {
  const { note, draft, isAsked, isSaving, failure, onSave, onLeave, onDiscard } = props
  const [text, setText] = useState(draft.text() ?? note)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!isAsked || !field.current) return
    field.current.focus()
    // Behind what is there already.
    field.current.setSelectionRange(field.current.textLength, field.current.textLength)
  }, [isAsked])
  function onKeyDown(event: KeyboardEvent) {
    const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!saves && event.key !== 'Escape') return
    // The panel stays.
    event.preventDefault()
    if (saves) {
      if (!isSaving) onSave(text)
    } else if (text === note) {
      onDiscard()
    } else {
      // What is written stays, and letters are keys again.
      field.current?.blur()
      onLeave()
    }
  }
  return (
    <div className={styles.editor}>
      <textarea
        ref={field}
        aria-labelledby="scenario-note"
        rows={3}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          draft.keep(target.value)
        }}
        onKeyDown={onKeyDown}
      />
      <p>
        <button type="button" className="primary" disabled={isSaving} onClick={() => onSave(text)}>
          {isSaving ? 'Saving…' : 'Save'}
        </button>{' '}
        <button type="button" onClick={onDiscard}>
          Discard
        </button>{' '}
        {failure === undefined ? (
          <span className="soft">Ctrl+Enter saves, Esc leaves it for later</span>
        ) : (
          <span role="alert" className="worse">
            Not saved: {failure}
          </span>
        )}
      </p>
    </div>
  )
}
