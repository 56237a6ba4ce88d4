// The form next to a row: its questions, failure modes and note, with their keys.
import { type FormEvent, type ReactNode, useId, useRef } from 'react'
import { type Shortcuts, useShortcuts } from '../../../state/shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { KeyCaps, Keys } from '../../../ui/keys.tsx'
import { CannotTell, ChoiceField, choicesOf, FieldHeading } from './choice-field.tsx'
import styles from './form.module.css'
import { type FormAnswers, findMissing, hasModes, type Question } from './form-answers.ts'
import { LabelField } from './label-field.tsx'
import { findKeyQuestion, type LabelOptions } from './labels.ts'

interface AnswerFormProps {
  label: string
  questions: readonly Question[]
  isReviewer: boolean
  draft: FormAnswers
  labelOptions: LabelOptions
  /** While the next row is loading, keys have no effect. */
  isDisabled: boolean
  onChange: (draft: FormAnswers) => void
  /** Stores complete answers and opens the next row. */
  onSave: (draft: FormAnswers) => void
  /** The action next to the primary button. */
  secondary: { label: string; key: string; run: () => void }
  shortcuts: Shortcuts
  /** Above the questions. */
  children?: ReactNode
}

export function AnswerForm(props: AnswerFormProps) {
  const { label, questions, isReviewer, draft, labelOptions, isDisabled, onChange, onSave, secondary } = props
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const keyQuestion = findKeyQuestion(questions)
  const focus = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.focus()

  function save(next = draft) {
    if (isDisabled) return
    const missing = findMissing(questions, next)
    if (!missing) onSave(next)
    else focus(`[data-question="${CSS.escape(missing.evaluator)}"] :is(button, input)`)
  }

  function setValue(question: Question, value: FormAnswers['values'][string]) {
    if (isDisabled) return
    const next = { ...draft, values: { ...draft.values, [question.evaluator]: value } }
    onChange(next)
    // A failure can get its modes and a note first.
    if (questions.length === 1 && choicesOf(question, isReviewer).length > 0 && value !== false) save(next)
  }

  /** A failure mode also sets the verdict. */
  function toggleLabel(question: Question, text: string) {
    if (isDisabled) return
    const { evaluator, type } = question
    labelOptions.addLabel(question, text)
    if (type === 'label') return setValue(question, text)
    const current = hasModes(question, draft) ? (draft.labels[evaluator] ?? []) : []
    const labels = current.includes(text) ? current.filter((one) => one !== text) : [...current, text]
    onChange({
      ...draft,
      values: { ...draft.values, [evaluator]: false },
      labels: { ...draft.labels, [evaluator]: labels },
    })
  }

  useShortcuts('page', {
    ...(keyQuestion && digitShortcuts(keyQuestion)),
    ...(keyQuestion?.type !== 'preference' &&
      keyQuestion && {
        m: {
          label: keyQuestion.type === 'verdict' ? 'Find or add a failure mode' : 'Find or add a label',
          run: () => focus('[role=combobox]'),
        },
      }),
    n: { label: 'Note', run: () => focus('textarea[data-note]') },
    Enter: { label: 'Save and next', run: () => (isOtherControl() ? clickFocused() : save()) },
    [secondary.key]: { label: secondary.label, run: secondary.run },
    ...props.shortcuts,
    Escape: () => (isInField() ? blurFocused() : callShortcut(props.shortcuts.Escape)),
  })

  function digitShortcuts(question: Question): Shortcuts {
    const choices = choicesOf(question, isReviewer).map(({ name, value }, index) => [
      `${index + 1}`,
      { label: name, run: () => setValue(question, value) },
    ])
    const labels = labelOptions
      .optionsOf(question)
      .flatMap(({ label, digit }) =>
        digit === undefined ? [] : [[digit, { label, run: () => toggleLabel(question, label) }]],
      )
    return Object.fromEntries([...choices, ...labels])
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    save()
  }

  return (
    <form
      ref={form}
      className={styles.form}
      aria-label={label}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          blurFocused()
          save()
        }
      }}
    >
      <div className={styles.fields}>
        {props.children}
        {questions.map((question) => {
          const { evaluator, type } = question
          const options = labelOptions.optionsOf(question)
          const field = {
            question,
            onSelect: (value: FormAnswers['values'][string]) => setValue(question, value),
          }
          const value = draft.values[evaluator]
          const choices = choicesOf(question, isReviewer)
          const headingId = `${id}${evaluator.replace(/\s/g, '_')}`
          return (
            <div key={evaluator} data-question={evaluator} className={styles.question}>
              {choices.length > 0 && (
                <ChoiceField {...field} choices={choices} value={value} hasKeys={question === keyQuestion} />
              )}
              {type === 'verdict' && (
                <LabelField
                  title="What is wrong?"
                  hint="one or more"
                  noun="failure mode"
                  options={options}
                  selected={hasModes(question, draft) ? (draft.labels[evaluator] ?? []) : []}
                  hasKeys={question === keyQuestion}
                  onToggle={(text) => toggleLabel(question, text)}
                />
              )}
              {type === 'label' && (
                <>
                  <FieldHeading question={question} />
                  <LabelField
                    noun="label"
                    options={options}
                    selected={typeof value === 'string' ? [value] : []}
                    hasKeys={question === keyQuestion}
                    onToggle={(text) => toggleLabel(question, text)}
                  />
                  <CannotTell {...field} value={value} />
                </>
              )}
              {(type === 'number' || type === 'text') && (
                <>
                  <FieldHeading question={question} id={headingId} />
                  {type === 'number' ? (
                    <input
                      inputMode="decimal"
                      aria-labelledby={headingId}
                      value={String(value ?? '')}
                      onChange={({ target }) => field.onSelect(target.value)}
                    />
                  ) : (
                    <textarea
                      rows={2}
                      aria-labelledby={headingId}
                      value={String(value ?? '')}
                      onChange={({ target }) => field.onSelect(target.value)}
                    />
                  )}
                  {type === 'number' && <CannotTell {...field} value={value} />}
                </>
              )}
            </div>
          )
        })}
        <label className={styles.note}>
          <span>
            <strong>Note</strong> <span className="quiet">optional</span>
            <Keys keys={['n']} />
          </span>
          <textarea
            data-note
            rows={2}
            maxLength={10_000}
            value={draft.note}
            onChange={({ target }) => onChange({ ...draft, note: target.value })}
          />
        </label>
      </div>
      <div className={styles.submit}>
        <Button type="submit" variant="primary" aria-keyshortcuts="Enter" disabled={isDisabled}>
          Save and next
          <Keys keys={['Enter']} />
        </Button>
        <Button aria-keyshortcuts={secondary.key} onClick={secondary.run}>
          {secondary.label}
          <Keys keys={[secondary.key]} />
        </Button>
      </div>
      <p className={styles.keys} aria-hidden="true">
        <span>
          <KeyCaps keys={['j', 'k']} /> rows
        </span>
        {keyQuestion && choicesOf(keyQuestion, isReviewer).length > 0 && questions.length === 1 && (
          <span>
            <KeyCaps keys={['1']} /> saves and opens the next row
          </span>
        )}
        <span>
          <KeyCaps keys={['?']} /> all keys
        </span>
      </p>
    </form>
  )
}

/** Enter presses a focused button, but not the answer that was just chosen. */
function isOtherControl(): boolean {
  return document.activeElement?.matches('button:not([aria-pressed="true"]), a') === true
}

function clickFocused(): void {
  ;(document.activeElement as HTMLElement).click()
}

function isInField(): boolean {
  return document.activeElement?.matches('input, textarea') === true
}

function blurFocused(): void {
  ;(document.activeElement as HTMLElement | null)?.blur()
}

function callShortcut(shortcut: Shortcuts[string] | undefined): void {
  if (typeof shortcut === 'function') shortcut()
  else shortcut?.run?.()
}
