// One column of a table with the menus for its role and its type.
import type { ImportColumn } from 'assay-client'
import { memo } from 'react'
import { ChoiceMenu } from '../../../../ui/menus/choice-menu.tsx'
import styles from './review.module.css'
import {
  type ColumnChoice,
  choiceFor,
  isSameChoice,
  ORIGIN_LABELS,
  ROLE_LABELS,
  ROLES,
  type Role,
  TYPE_LABELS,
} from './roles.ts'

interface ColumnRowProps {
  column: ImportColumn
  index: number
  choice: ColumnChoice
  /** Whether the choice is one of an earlier import. */
  isRemembered: boolean
  /** The evaluators of the table, as JSON. */
  scores: string
  onChange: (index: number, choice: ColumnChoice) => void
}

/** A table can have hundreds of columns, and only one changes at a time. */
export const ColumnRow = memo(function ColumnRow(props: ColumnRowProps) {
  const { column, index, choice, scores, onChange } = props
  const { name, examples } = column
  return (
    <li>
      <strong className={styles.name} title={name}>
        <bdi>{name}</bdi>
      </strong>
      <ChoiceMenu
        isField
        title={`Role of ${name}`}
        value={choice.role}
        options={ROLES.map((role) => ({ value: role, name: ROLE_LABELS[role] }))}
        onSelect={(role) => onChange(index, choiceFor(column, role as Role, JSON.parse(scores) as string[]))}
      />
      <Detail {...props} />
      <Origin {...props} />
      <span className={styles.examples}>
        {examples.map((example, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <span key={position} className={styles.example} title={example}>
            <bdi>{example}</bdi>
          </span>
        ))}
        {examples.length === 0 && <span className={styles.empty}>empty in the first rows</span>}
      </span>
    </li>
  )
})

function Origin({ column, choice, isRemembered }: ColumnRowProps) {
  if (!isSameChoice(choice, column))
    return <strong className={styles.origin}>{isRemembered ? 'last import' : 'your choice'}</strong>
  return (
    <span className={`${styles.origin} ${column.origin === 'default' ? styles.unknown : ''}`}>
      {ORIGIN_LABELS[column.origin]}
    </span>
  )
}

/** The type of the values, or the evaluator of a reason. The place is empty for other roles. */
function Detail({ column: { name }, index, choice, scores, onChange }: ColumnRowProps) {
  const { role, key, type } = choice
  const types = TYPE_LABELS[role]
  if (types) {
    return (
      <ChoiceMenu
        isField
        title={`Type of ${name}`}
        value={type ?? Object.keys(types)[0]}
        options={Object.entries(types).map(([value, label]) => ({ value, name: label }))}
        onSelect={(value) => onChange(index, { ...choice, type: value || null })}
      />
    )
  }
  if (role !== 'reason') return <span />
  const evaluators = new Set([...(JSON.parse(scores) as string[]), key ?? name])
  return (
    <ChoiceMenu
      isField
      title={`Evaluator of ${name}`}
      value={key ?? name}
      options={[...evaluators].map((evaluator) => ({ value: evaluator, name: evaluator }))}
      onSelect={(evaluator) => onChange(index, { ...choice, key: evaluator })}
    />
  )
}
