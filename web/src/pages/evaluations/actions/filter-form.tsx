// The contents of the filter menu.
import { useQuery } from '@tanstack/react-query'
import type { Variant } from 'assay-client'
import { useId } from 'react'
import { assay } from '../../../api/client.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { type FilterParam, LIST_FILTERS } from '../list-filters.ts'
import type { EvaluationList } from '../page-state.ts'
import type { ListParams } from '../search-params.ts'
import { filterChange } from './filter-change.ts'
import styles from './toolbar.module.css'

type Option = [value: string, text: string]

interface FilterFormProps {
  list: EvaluationList
  params: ListParams
  variants: ReadonlyMap<string, Variant>
}

export function FilterForm({ list, params, variants }: FilterFormProps) {
  const changeParams = useChangeSearchParams<'/'>()
  const activeValue = (param: string) => params.filters.find((filter) => filter.param === param)?.value
  const variant = activeValue('variant_id')
  const { data: revisions } = useQuery({
    queryKey: ['variant', variant, 'options'],
    queryFn: ({ signal }) => assay.listVariantRevisions(variant ?? '', {}, { signal }),
    enabled: variant !== undefined,
  })
  /** Options that do not come from the loaded evaluations. */
  const options: { [Param in FilterParam]?: Option[] | undefined } = {
    variant_id: [...variants.values()].map(({ id, name }) => [id, name ?? id]),
    revision: revisions?.toReversed().map(({ revision }) => [String(revision), `r${revision}`]),
  }
  return (
    <div className={styles.form}>
      {LIST_FILTERS.map(({ param, noun, operator, dependsOn, format = String }) => {
        const value = activeValue(param)
        if (operator === 'contains' || (dependsOn && activeValue(dependsOn) === undefined)) return null
        const choices = options[param] ?? list.valuesOf(param).map((each): Option => [each, format(each)])
        // Without a choice, a filter is useless.
        if (value === undefined && choices.length < (operator === 'eq' && param === 'status' ? 2 : 1))
          return null
        return (
          <FilterSelect
            key={param}
            noun={noun}
            value={value}
            options={choices}
            format={format}
            onSelect={(next) => changeParams(filterChange(param, next && `${operator}.${next}`))}
          />
        )
      })}
      <FilterSelect
        noun="evaluator"
        value={params.evaluator}
        options={list.evaluators.map(({ name }) => [name, name])}
        onSelect={(evaluator) => changeParams({ evaluator })}
      />
    </div>
  )
}

interface FilterSelectProps {
  noun: string
  value: string | undefined
  options: Option[]
  format?: (value: string) => string
  onSelect: (value: string | undefined) => void
}

function FilterSelect({ noun, value, options, format = String, onSelect }: FilterSelectProps) {
  const id = useId()
  // A value of the URL can be missing in the options.
  const isListed = value === undefined || options.some(([each]) => each === value)
  return (
    <>
      <label htmlFor={id} className={styles.noun}>
        {noun}
      </label>
      <select id={id} value={value ?? ''} onChange={({ target }) => onSelect(target.value || undefined)}>
        <option value="">Any {noun}</option>
        {!isListed && <option value={value}>{format(value)}</option>}
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </>
  )
}
