// Adds a filter by anything that rows can be filtered by.
import { type FormEvent, useId, useState } from 'react'
import { useChangeSearch } from '../change-search.ts'
import type { Filter } from '../evaluation/view.ts'
import { focused } from '../parts/focus.ts'
import { choicesOf, filterValue, filterWords } from './filter-words.ts'
import styles from './filters.module.css'

/** What rows can be filtered by the name of. */
export interface FilterNames {
  evaluators: string[]
  inputs: string[]
  /** What scores are compared with; undefined where there is nothing. */
  base: string | undefined
}

interface FilterFormProps {
  filters: readonly Filter[]
  names: FilterNames
}

export function FilterForm({ filters, names }: FilterFormProps) {
  const change = useChangeSearch()
  const id = useId()
  const [name, setName] = useState('latency')
  const [operator, setOperator] = useState('')
  const [typed, setTyped] = useState('')
  const choices = choicesOf(name)
  const choice = choices.find((one) => one.operator === operator) ?? choices[0]
  const replaced = filters.find((filter) => filter[0] === name)
  if (!choice) return null
  const value = filterValue(choice, typed)
  function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (value === undefined) return
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    change({ [name]: value })
  }
  return (
    <form className={styles.form} onSubmit={add}>
      <label htmlFor={`${id}-name`}>By</label>
      <select
        id={`${id}-name`}
        ref={focused}
        value={name}
        onChange={(event) => {
          setName(event.target.value)
          setOperator('')
        }}
      >
        <Names names={names} />
      </select>
      <label htmlFor={`${id}-operator`}>Condition</label>
      <select
        id={`${id}-operator`}
        value={choice.operator}
        onChange={(event) => setOperator(event.target.value)}
      >
        {choices.map((one) => (
          <option key={one.operator} value={one.operator}>
            {one.words}
          </option>
        ))}
      </select>
      {choice.takes !== 'nothing' && (
        <>
          <label htmlFor={`${id}-value`}>{UNITS[name] ?? 'Value'}</label>
          <input
            id={`${id}-value`}
            type={choice.takes === 'number' ? 'number' : 'text'}
            step="any"
            required={choice.takes === 'number'}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </>
      )}
      <p className="soft">{replaced && `In place of: ${filterWords(replaced)}`}</p>
      <button type="submit" className="primary" data-stay="">
        Add filter
      </button>
    </form>
  )
}

const UNITS: Record<string, string> = { latency: 'Seconds', cost: 'Dollars' }

/** Everything that there is a name for. */
function Names({ names: { evaluators, inputs, base } }: { names: FilterNames }) {
  return (
    <>
      <option value="latency">latency</option>
      <option value="cost">cost</option>
      <option value="error">output</option>
      <option value="is_pinned">pin</option>
      <option value="note">note</option>
      <Family label="Results" family="result" names={evaluators} />
      <Family label="Inputs" family="input" names={inputs} />
      {base !== undefined && <Family label={`Change against ${base}`} family="delta" names={evaluators} />}
    </>
  )
}

function Family({ label, family, names }: { label: string; family: string; names: string[] }) {
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
