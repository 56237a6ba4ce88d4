// The answers to a question with a few choices, a verdict or a preference, and what all questions have: a heading, and
// "can't tell".
import { ArrowLeft, ArrowRight, Check, CircleHelp, Equal, X } from 'lucide'
import { useId } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon, type IconType } from '../../../ui/icon.tsx'
import { Keys } from '../../../ui/keys.tsx'
import styles from './form.module.css'
import type { FormAnswers, Question } from './form-answers.ts'

type Value = FormAnswers['values'][string]

interface Choice {
  name: string
  value: Exclude<Value, undefined>
  icon: IconType
  className: string
}

const CANNOT_TELL: Choice = { name: 'Can’t tell', value: null, icon: CircleHelp, className: 'quiet' }
const VERDICTS: Choice[] = [
  { name: 'Pass', value: true, icon: Check, className: 'better' },
  { name: 'Fail', value: false, icon: X, className: 'worse' },
  CANNOT_TELL,
]
const NO_PREFERENCES: Choice[] = [
  { name: 'Equal', value: 'equal', icon: Equal, className: 'quiet' },
  { name: 'Both bad', value: 'both_bad', icon: X, className: 'worse' },
  CANNOT_TELL,
]
/** Reviewers know only the sides, and keys of the project only the evaluations. */
const BY_SIDE: Choice[] = [
  { name: 'Left', value: 'left', icon: ArrowLeft, className: 'muted' },
  { name: 'Right', value: 'right', icon: ArrowRight, className: 'muted' },
  ...NO_PREFERENCES,
]
const BY_EVALUATION: Choice[] = [
  { name: 'Candidate', value: 'candidate', icon: Check, className: 'muted' },
  { name: 'Baseline', value: 'baseline', icon: Check, className: 'muted' },
  ...NO_PREFERENCES,
]

/** The choices of a question, whose keys are the digits from 1 on. Empty for questions with other answers. */
export function choicesOf({ type }: Pick<Question, 'type'>, isReviewer: boolean): Choice[] {
  if (type === 'verdict') return VERDICTS
  if (type !== 'preference') return []
  return isReviewer ? BY_SIDE : BY_EVALUATION
}

interface FieldProps {
  question: Question
  value: Value
  onSelect: (value: Value) => void
}

interface ChoiceFieldProps extends FieldProps {
  choices: readonly Choice[]
  hasKeys: boolean
}

export function ChoiceField({ question, choices, value, onSelect, hasKeys }: ChoiceFieldProps) {
  const id = useId()
  return (
    <div className={hasKeys ? styles.mainVerdict : undefined}>
      <FieldHeading question={question} id={id} />
      <div role="group" aria-labelledby={id} className={styles.verdicts}>
        {choices.map(({ name, value: option, icon, className }, index) => (
          <Button
            key={name}
            className={styles.option}
            aria-pressed={value === option}
            aria-keyshortcuts={hasKeys ? `${index + 1}` : undefined}
            onClick={() => onSelect(option)}
          >
            <span className={className}>
              <Icon icon={icon} />
            </span>
            {name}
            {hasKeys && <Keys keys={[`${index + 1}`]} />}
          </Button>
        ))}
      </div>
    </div>
  )
}

const DEFAULT_QUESTIONS: Partial<Record<Question['type'], string>> = {
  verdict: 'Is the answer correct?',
  preference: 'Which answer is better?',
}

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
