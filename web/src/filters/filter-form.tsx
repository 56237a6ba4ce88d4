// The form that adds a filter.
import { type FormEvent, useId, useState } from 'react'
import type { Filter } from '../state/row-params.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { focusOnMount } from '../ui/focus.ts'
import { filterLabel, filterValue, operatorsOf } from './filter-labels.ts'
import styles from './filters.module.css'

/** The names that rows can be filtered by. */
export interface FilterNames {
  evaluators: string[]
  inputs: string[]
  /** The name of the baseline, or undefined if there is none. */
  baselineName: string | undefined
}

interface FilterFormProps {
  filters: readonly Filter[]
  names: FilterNames
}

export function FilterForm({ filters, names }: FilterFormProps) {
  const change = useChangeSearchParams()
  const id = useId()
  const [name, setName] = useState('latency')
  const [operator, setOperator] = useState('')
  const [operandText, setOperandText] = useState('')
  const operators = operatorsOf(name)
  const selected = operators.find((one) => one.operator === operator) ?? operators[0]
  const replaced = filters.find((filter) => filter[0] === name)
  if (!selected) return null
  const value = filterValue(selected, operandText)
  function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (value === undefined) return
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    change({ [name]: value })
  }
  return (
    <form className={styles.form} onSubmit={add}>
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
        value={selected.operator}
        onChange={(event) => setOperator(event.target.value)}
      >
        {operators.map((one) => (
          <option key={one.operator} value={one.operator}>
            {one.label}
          </option>
        ))}
      </select>
      {selected.operand !== 'nothing' && (
        <>
          <label htmlFor={`${id}-value`}>{UNITS[name] ?? 'Value'}</label>
          <input
            id={`${id}-value`}
            type={selected.operand === 'number' ? 'number' : 'text'}
            step="any"
            required={selected.operand === 'number'}
            value={operandText}
            onChange={(event) => setOperandText(event.target.value)}
          />
        </>
      )}
      <p className="muted">{replaced && `Replaces: ${filterLabel(replaced)}`}</p>
      <button type="submit" className="primary" data-stay="">
        Add filter
      </button>
    </form>
  )
}

const UNITS: Record<string, string> = { latency: 'Seconds', cost: 'Dollars' }

/** The options: fields, evaluators and inputs. */
function FilterOptions({ names: { evaluators, inputs, baselineName } }: { names: FilterNames }) {
  return (
    <>
      <option value="latency">latency</option>
      <option value="cost">cost</option>
      <option value="error">output</option>
      <option value="is_pinned">pin</option>
      <option value="note">note</option>
      <FilterOptionGroup label="Results" family="result" names={evaluators} />
      <FilterOptionGroup label="Inputs" family="input" names={inputs} />
      {baselineName !== undefined && (
        <FilterOptionGroup label={`Change vs ${baselineName}`} family="delta" names={evaluators} />
      )}
    </>
  )
}

function FilterOptionGroup({ label, family, names }: { label: string; family: string; names: string[] }) {
  if (names.length === 0) return null
  return (
    <optgroup label={label}>
      {names.map((name) => (
        <option key={name} value={`${family}.${name}`}>
          {family === 'delta' ? `Δ ${name}` : name}
        </option>
      ))}
    </optgroup>
  )
}
