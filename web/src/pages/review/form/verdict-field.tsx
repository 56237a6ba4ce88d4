// The answers to a question for a verdict, and what all questions have: a heading, and "can't tell".
import { Check, CircleHelp, X } from 'lucide'
import { useId } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Keys } from '../../../ui/keys.tsx'
import styles from './form.module.css'
import type { FormAnswers, Question } from './form-answers.ts'

type Value = FormAnswers['values'][string]

export const VERDICTS = [
  { name: 'Pass', value: true, digit: '1', icon: Check, className: 'better' },
  { name: 'Fail', value: false, digit: '2', icon: X, className: 'worse' },
  { name: 'Can’t tell', value: null, digit: '3', icon: CircleHelp, className: 'quiet' },
] as const

interface FieldProps {
  question: Question
  value: Value
  onSelect: (value: Value) => void
}

export function VerdictField({ question, value, onSelect, hasKeys }: FieldProps & { hasKeys: boolean }) {
  const id = useId()
  return (
    <div className={hasKeys ? styles.mainVerdict : undefined}>
      <FieldHeading question={question} id={id} />
      <div role="group" aria-labelledby={id} className={styles.verdicts}>
        {VERDICTS.map(({ name, value: option, digit, icon, className }) => (
          <Button
            key={name}
            className={styles.option}
            aria-pressed={value === option}
            aria-keyshortcuts={hasKeys ? digit : undefined}
            onClick={() => onSelect(option)}
          >
            <span className={className}>
              <Icon icon={icon} />
            </span>
            {name}
            {hasKeys && <Keys keys={[digit]} />}
          </Button>
        ))}
      </div>
    </div>
  )
}

const DEFAULT_QUESTIONS: Partial<Record<Question['type'], string>> = { verdict: 'Is the answer correct?' }

/** Without a text, a verdict is about the answer, and other questions have the name of their evaluator. */
export function questionText({
  question,
  type,
  evaluator,
}: Pick<Question, 'question' | 'type' | 'evaluator'>) {
  return question ?? DEFAULT_QUESTIONS[type] ?? evaluator
}

export function FieldHeading({ question, id }: { question: Question; id?: string }) {
  return (
    <>
      <h2 id={id}>
        <bdi>{questionText(question)}</bdi>
      </h2>
      {question.description && <p className="quiet">{question.description}</p>}
    </>
  )
}

/** For questions without verdicts. */
export function CannotTell({ question, value, onSelect }: FieldProps) {
  return (
    <Button
      size="small"
      icon={CircleHelp}
      aria-label={`Can’t tell: ${questionText(question)}`}
      aria-pressed={value === null}
      onClick={() => onSelect(value === null ? undefined : null)}
    >
      Can’t tell
    </Button>
  )
}
