// The form that adds a filter.
import { type FormEvent, useId, useState } from 'react'
import type { Filter } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { focusOnMount } from '../ui/focus.ts'
import { filterLabel, filterValue, operatorsOf } from './filter-labels.ts'
import styles from './filters.module.css'

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
          <label htmlFor={`${id}-value`}>{UNIT_LABELS[name] ?? 'Value'}</label>
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
      <button type="submit" className="primary" data-keep-open="">
        Add filter
      </button>
    </form>
  )
}

const UNIT_LABELS: Record<string, string> = { latency: 'Seconds', cost: 'Dollars' }

/** All fields: those of every row, then results, inputs, and changes from the baseline if there is one. */
function FilterOptions({ names: { evaluators, inputs, baselineName } }: { names: FilterableNames }) {
  return (
    <>
      <option value="latency">latency</option>
      <option value="cost">cost</option>
      {/* Its conditions are "failed" and "did not fail". */}
      <option value="error">output</option>
      <option value="is_pinned">pin</option>
      <option value="note">note</option>
      <FilterOptionGroup label="Results" kind="result" names={evaluators} />
      <FilterOptionGroup label="Inputs" kind="input" names={inputs} />
      {baselineName !== undefined && (
        <FilterOptionGroup label={`Change vs ${baselineName}`} kind="delta" names={evaluators} />
      )}
    </>
  )
}

function FilterOptionGroup({ label, kind, names }: { label: string; kind: string; names: string[] }) {
  if (names.length === 0) return null
  return (
    <optgroup label={label}>
      {names.map((name) => (
        <option key={name} value={`${kind}.${name}`}>
          {kind === 'delta' ? `Δ ${name}` : name}
        </option>
      ))}
    </optgroup>
  )
}
