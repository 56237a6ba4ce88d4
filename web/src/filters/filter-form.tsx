// The form that adds a filter.
import { type FormEvent, useId, useState } from 'react'
import { ROW_FIELDS } from '../../../src/schema/filters/fields.ts'
import type { Filter } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { Button } from '../ui/button.tsx'
import { focusOnMount } from '../ui/focus.ts'
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
    <form className={styles.form} onSubmit={addFilter}>
      <label htmlFor={`${id}-name`}>Field</label>
      <select
        id={`${id}-name`}
        ref={focusOnMount}
        value={name}
        onChange={(event) => {
          setName(event.target.value)
          setOperator('')
        }}
      >
        <FilterOptions names={names} />
      </select>
      <label htmlFor={`${id}-operator`}>Condition</label>
      <select
        id={`${id}-operator`}
        value={selectedOperator.operator}
        onChange={(event) => setOperator(event.target.value)}
      >
        {operators.map(({ operator, label }) => (
          <option key={operator} value={operator}>
            {label}
          </option>
        ))}
      </select>
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
function FilterOptions({ names: { evaluators, inputs, baselineName } }: { names: FilterableNames }) {
  return ROW_FIELDS.filter(([, field]) => operatorsOfField(field).length > 0).map(
    ([key, { names, label, namePrefix = '' }]) => {
      if (names === undefined)
        return (
          <option key={key} value={key}>
            {label}
          </option>
        )
      const list = names === 'input' ? inputs : evaluators
      const isDelta = key === 'delta'
      if (list.length === 0 || (isDelta && baselineName === undefined)) return null
      return (
        <optgroup key={key} label={isDelta ? `${label} ${baselineName}` : label}>
          {list.map((name) => (
            <option key={name} value={`${key}.${name}`}>
              {namePrefix + name}
            </option>
          ))}
        </optgroup>
      )
    },
  )
}
