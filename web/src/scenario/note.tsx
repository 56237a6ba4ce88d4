// The note of a scenario, and the place to write it for keys that may.
import type { EvaluationScenario } from 'assay-client'
import { type KeyboardEvent, useState } from 'react'
import { timeOfDay } from '../format/times.ts'
import { useMayWrite } from '../shell/key.ts'
import { useMark } from './mark.ts'
import styles from './scenario.module.css'

/** What was written and not saved, by scenario: looking at another one, or leaving, loses none of it. */
const drafts = new Map<string, string>()

const PLACE = 'scenario-note-text'

/** Where the place to write is open already. */
export function focusOnNote(): void {
  document.getElementById(PLACE)?.focus()
}

interface NoteProps {
  evaluationId: string
  scenario: EvaluationScenario
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
}

export function Note({ evaluationId, scenario, isEditing, onEdit }: NoteProps) {
  const mayWrite = useMayWrite()
  const mark = useMark(evaluationId, scenario.id)
  const draft = JSON.stringify([evaluationId, scenario.id])
  if (!isEditing && !scenario.note) return null
  return (
    <section className={styles.note} aria-labelledby="scenario-note">
      <h3 id="scenario-note" className={styles.label}>
        Note
      </h3>
      {isEditing && mayWrite ? (
        <NoteEditor
          draft={draft}
          note={scenario.note ?? ''}
          isSaving={mark.isPending}
          failure={mark.error?.message}
          onSave={(note) =>
            mark.mutate(
              { note: note === '' ? null : note },
              {
                onSuccess: () => {
                  drafts.delete(draft)
                  onEdit(false)
                },
              },
            )
          }
          onLeave={() => {
            mark.reset()
            onEdit(false)
          }}
        />
      ) : (
        <p className={styles.noteText}>
          {scenario.note}{' '}
          {mark.isSuccess && <span className="soft">saved {timeOfDay(mark.submittedAt)}</span>}{' '}
        </p>
      )}
    </section>
  )
}

interface NoteEditorProps {
  draft: string
  note: string
  isSaving: boolean
  failure: string | undefined
  onSave: (note: string) => void
  onLeave: () => void
}

function NoteEditor({ draft, note, isSaving, failure, onSave, onLeave }: NoteEditorProps) {
  const [text, setText] = useState(drafts.get(draft) ?? note)
  const isChanged = text !== note
  function onKeyDown(event: KeyboardEvent) {
    const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!saves && event.key !== 'Escape') return
    // The panel stays.
    event.preventDefault()
    if (!saves) onLeave()
    else if (!isSaving) onSave(text)
  }
  return (
    <div className={styles.editor}>
      <textarea
        id={PLACE}
        // biome-ignore lint/a11y/noAutofocus: it is there because somebody asked to write
        autoFocus
        aria-labelledby="scenario-note"
        rows={3}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          drafts.set(draft, event.target.value)
        }}
        onKeyDown={onKeyDown}
      />
      <p>
        <button type="button" className="primary" disabled={isSaving} onClick={() => onSave(text)}>
          {isSaving ? 'Saving…' : 'Save'}
        </button>{' '}
        <button
          type="button"
          onClick={() => {
            drafts.delete(draft)
            onLeave()
          }}
        >
          {isChanged ? 'Discard' : 'Leave'}
        </button>{' '}
        {failure === undefined ? (
          <span className="soft">Ctrl+Enter saves, Esc leaves</span>
        ) : (
          <span role="alert" className="worse">
            Not saved: {failure}
          </span>
        )}
      </p>
    </div>
  )
}
