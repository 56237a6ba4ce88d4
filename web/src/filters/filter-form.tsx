// The form that adds a filter.
import { type FormEvent, useId, useState } from 'react'
import { ROW_FIELDS } from '../../../src/schema/filters/fields.ts'
import type { Filter } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { Button } from '../ui/button.tsx'
import { focusFirstControl } from '../ui/focus.ts'
import { ChoiceMenu, type ChoiceOption } from '../ui/menus/choice-menu.tsx'
import { filterLabel, filterValue, operatorsOf, operatorsOfField } from './filter-labels.ts'
import styles from './row-toolbar.module.css'

/** The names that rows can be filtered by. */
export interface FilterableNames {
  evaluators: string[]
  inputs: string[]
  /** The name of the baseline, or undefined if there is none. */
  baselineName: string | undefined
}

interface FilterFormProps {
  filters: readonly Filter[]
  names: FilterableNames
}

export function FilterForm({ filters, names }: FilterFormProps) {
  const changeParams = useChangeSearchParams()
  const id = useId()
  const [name, setName] = useState('latency')
  const [operator, setOperator] = useState('')
  const [operandText, setOperandText] = useState('')
  const operators = operatorsOf(name)
  const selectedOperator = operators.find((candidate) => candidate.operator === operator) ?? operators[0]
  const replacedFilter = filters.find((filter) => filter[0] === name)
  if (!selectedOperator) return null
  const value = filterValue(selectedOperator, operandText)
  function addFilter(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (value === undefined) return
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    event.currentTarget.closest('dialog')?.close()
    changeParams({ [name]: value })
  }
  return (
    <form ref={focusFirstControl} className={styles.form} onSubmit={addFilter}>
      <span aria-hidden="true">Field</span>
      <ChoiceMenu
        isField
        title="Field"
        value={name}
        options={fieldOptions(names)}
        onSelect={(newName) => {
          setName(newName)
          setOperator('')
        }}
      />
      <span aria-hidden="true">Condition</span>
      <ChoiceMenu
        isField
        title="Condition"
        value={selectedOperator.operator}
        options={operators.map(({ operator, label }) => ({ value: operator, name: label }))}
        onSelect={setOperator}
      />
      {selectedOperator.operand !== 'none' && (
        <>
          <label htmlFor={`${id}-value`}>{selectedOperator.operandLabel}</label>
          <input
            id={`${id}-value`}
            type={selectedOperator.operand === 'number' ? 'number' : 'text'}
            step="any"
            required={selectedOperator.operand === 'number'}
            value={operandText}
            onChange={(event) => setOperandText(event.target.value)}
          />
        </>
      )}
      <p className="muted">{replacedFilter && `Replaces: ${filterLabel(replacedFilter)}`}</p>
      <Button type="submit" size="small" data-keep-open="">
        Add filter
      </Button>
    </form>
  )
}

/** All fields that can be filtered by typing: those of every row, then those named after evaluators and inputs. */
function fieldOptions({ evaluators, inputs, baselineName }: FilterableNames): ChoiceOption[] {
  return ROW_FIELDS.filter(([, field]) => operatorsOfField(field).length > 0).flatMap(
    ([key, { names, label, namePrefix = '' }]): ChoiceOption[] => {
      if (names === undefined) return [{ value: key, name: label }]
      const isDelta = key === 'delta'
      if (isDelta && baselineName === undefined) return []
      const list = names === 'input' ? inputs : evaluators
      return list.map((name, index) => ({
        value: `${key}.${name}`,
        name: namePrefix + name,
        heading: index > 0 ? undefined : isDelta ? `${label} ${baselineName}` : label,
      }))
    },
  )
}
