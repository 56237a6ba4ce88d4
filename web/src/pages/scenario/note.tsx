// The note of a scenario, with an editor for keys with the write scope.
import type { EvaluationScenario } from 'assay-client'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useCanWrite } from '../../api/key.ts'
import { formatTime } from '../../format/times.ts'
import { useMarkScenario } from '../../queries/scenarios.ts'
import styles from '../../row-panel/reading.module.css'
import { Button } from '../../ui/button.tsx'
import { LongText } from '../../ui/truncation.tsx'

/**
 * Unsaved notes. They are stored until they are saved or discarded, so that opening another scenario, a failed request or
 * an expired key does not lose typed text.
 */
const drafts = new Map<string, string>()

function noteDraft(evaluationId: string, scenarioId: string) {
  const key = JSON.stringify([evaluationId, scenarioId])
  return {
    text: () => drafts.get(key),
    set: (text: string) => void drafts.set(key, text),
    discard: () => void drafts.delete(key),
  }
}

interface NoteProps {
  evaluationId: string
  scenario: EvaluationScenario
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
}

export function Note({ evaluationId, scenario, isEditing, onEdit }: NoteProps) {
  const mayWrite = useCanWrite()
  const mark = useMarkScenario(evaluationId, scenario.id)
  // Leaving the scenario ends editing, so that returning to it does not focus the editor and block shortcuts.
  const stopEditing = useRef(() => onEdit(false))
  useEffect(() => stopEditing.current, [])
  const draft = noteDraft(evaluationId, scenario.id)
  const isOpen = mayWrite && (isEditing || draft.text() !== undefined)
  if (!isOpen && !scenario.note) return null
  function discard() {
    draft.discard()
    mark.reset()
    onEdit(false)
  }
  async function save(note: string) {
    await mark.mutateAsync({ note: note === '' ? null : note })
    // Text that was typed while saving is not saved yet.
    if ((draft.text() ?? note) !== note) return
    draft.discard()
    onEdit(false)
  }
  return (
    <section className={styles.note} aria-labelledby="scenario-note">
      <h3 id="scenario-note">Note</h3>
      {isOpen ? (
        <NoteEditor
          note={scenario.note ?? ''}
          draft={draft}
          isEditing={isEditing}
          isSaving={mark.isPending}
          failure={mark.error?.message}
          // The editor shows the error.
          onSave={(note) => void save(note).catch(() => undefined)}
          onLeave={() => onEdit(false)}
          onDiscard={discard}
        />
      ) : (
        <p className={styles.noteText} dir="auto">
          <LongText text={scenario.note ?? ''} />{' '}
          {mark.isSuccess && <span className="muted">saved {formatTime(mark.submittedAt)}</span>}{' '}
        </p>
      )}
    </section>
  )
}

interface NoteEditorProps {
  note: string
  draft: ReturnType<typeof noteDraft>
  isEditing: boolean
  isSaving: boolean
  failure: string | undefined
  onSave: (note: string) => void
  onLeave: () => void
  onDiscard: () => void
}

function NoteEditor(props: NoteEditorProps) {
  const { note, draft, isEditing, isSaving, failure, onSave, onLeave, onDiscard } = props
  const [text, setText] = useState(draft.text() ?? note)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!isEditing || !field.current) return
    field.current.focus()
    // Place the cursor at the end.
    field.current.setSelectionRange(field.current.textLength, field.current.textLength)
  }, [isEditing])
  function onKeyDown(event: KeyboardEvent) {
    const isSave = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!isSave && event.key !== 'Escape') return
    // Escape must not close the panel.
    event.preventDefault()
    if (isSave) {
      if (!isSaving) onSave(text)
    } else if (text === note) {
      onDiscard()
    } else {
      // Keeps the draft, and enables shortcuts again.
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
          draft.set(target.value)
        }}
        onKeyDown={onKeyDown}
      />
      <p>
        <Button size="small" disabled={isSaving} onClick={() => onSave(text)}>
          {isSaving ? 'Saving…' : 'Save'}
        </Button>
        <Button variant="plain" size="small" onClick={onDiscard}>
          Discard
        </Button>
        {failure === undefined ? (
          <span className="muted">Ctrl+Enter to save, Esc to leave</span>
        ) : (
          <span role="alert" className="worse">
            Not saved: {failure}
          </span>
        )}
      </p>
    </div>
  )
}
