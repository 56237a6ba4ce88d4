// The filters of the toolbar: those of the columns, and one by evaluator.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { assay } from '../../../api/client.ts'
import { type PageSearch, useChangeSearchParams } from '../../../state/search-params.ts'
import { Loading } from '../../../ui/loading.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import styles from '../page.module.css'
import type { EvaluationList } from '../page-state.ts'
import type { ListParams } from '../search-params.ts'
import { type FilterParam, LIST_FILTERS } from '../table/columns.tsx'

type Option = [value: string, text: string]

/** The largest page of the API. */
const MAX_VARIANTS = 1000

const variantOptions = queryOptions({
  queryKey: ['variants', 'options'],
  queryFn: async ({ signal }) =>
    (await assay.listVariants({ limit: MAX_VARIANTS }, { signal })).items.map(
      ({ id, name }): Option => [id, name ?? id],
    ),
})

const revisionOptions = (variant: string) =>
  queryOptions({
    queryKey: ['variant', variant, 'options'],
    queryFn: async ({ signal }) =>
      (await assay.listVariantRevisions(variant, {}, { signal }))
        .toReversed()
        .map(({ revision }): Option => [String(revision), `r${revision}`]),
  })

type OptionQuery = typeof variantOptions | ReturnType<typeof revisionOptions>

export function Filters({ list, params }: { list: EvaluationList; params: ListParams }) {
  const changeParams = useChangeSearchParams<'/'>()
  const activeValue = (param: string) => params.filters.find((filter) => filter.param === param)?.value
  const variant = activeValue('variant_id')
  /** How the options are requested. Other filters offer the values of the loaded evaluations. */
  const queries: { [Param in FilterParam]?: OptionQuery | undefined } = {
    variant_id: variantOptions,
    revision: variant === undefined ? undefined : revisionOptions(variant),
  }
  return (
    <search className={styles.filters}>
      {LIST_FILTERS.map(({ param, noun, operator, dependsOn, format = String }) => {
        const value = activeValue(param)
        if (operator === 'contains') {
          return (
            <SearchField
              key={param}
              text={value ?? ''}
              onText={(text) =>
                changeParams({ [param]: text === '' ? undefined : `contains.${text}` }, { replace: true })
              }
              label={`Filter by ${noun}`}
              placeholder={`/ filter by ${noun}`}
              className={styles.filterBox}
            />
          )
        }
        if (dependsOn && (value ?? activeValue(dependsOn)) === undefined) return null
        const values = list.valuesOf(param)
        // Without a choice, only the filters with requested options are useful.
        if (!queries[param] && value === undefined && values.length < (operator === 'has' ? 1 : 2))
          return null
        return (
          <FilterMenu
            key={param}
            noun={noun}
            value={value}
            format={format}
            options={queries[param] ?? values.map((one) => [one, format(one)])}
            onSelect={(next) => changeParams(filterChange(param, next && `${operator}.${next}`))}
          />
        )
      })}
      <FilterMenu
        noun="evaluator"
        value={params.evaluator}
        options={list.evaluators.map((name) => [name, name])}
        onSelect={(evaluator) => changeParams({ evaluator })}
      />
    </search>
  )
}

/** Also removes the filters that depend on this one. */
export function filterChange(param: FilterParam, value?: string): PageSearch<'/'> {
  const dependents = LIST_FILTERS.filter(({ dependsOn }) => dependsOn === param)
  return { ...Object.fromEntries(dependents.map((filter) => [filter.param, undefined])), [param]: value }
}

interface FilterMenuProps {
  noun: string
  value: string | undefined
  format?: (value: string) => string
  options: Option[] | OptionQuery
  onSelect: (value: string | undefined) => void
}

function FilterMenu({ noun, value, format = String, options, onSelect }: FilterMenuProps) {
  const selected = value === undefined ? undefined : format(value)
  const choices = { value, onSelect }
  return (
    <Menu
      label={
        <span className={styles.filterLabel}>
          <span className={selected === undefined ? styles.noun : 'sr-only'}>{noun}</span> {selected}
        </span>
      }
      title={selected === undefined ? `Any ${noun}` : `${noun}: ${selected}`}
      className={selected === undefined ? undefined : styles.active}
    >
      <div className="options">
        <Options options={[[undefined, `Any ${noun}`]]} {...choices} />
        {Array.isArray(options) ? (
          <Options options={options} {...choices} />
        ) : (
          <RequestedOptions query={options} {...choices} />
        )}
      </div>
    </Menu>
  )
}

type Choices = Pick<FilterMenuProps, 'value' | 'onSelect'>

/** Rendered when the menu opens. */
function RequestedOptions({ query, ...choices }: Choices & { query: OptionQuery }) {
  const { data, isError } = useQuery(query as typeof variantOptions)
  if (isError) return <p className={styles.menuNote}>Variant not found.</p>
  return data ? <Options options={data} {...choices} /> : <Loading />
}

function Options({
  options,
  value: selectedValue,
  onSelect,
}: Choices & { options: [value: string | undefined, text: string][] }) {
  return options.map(([value, text]) => (
    <button
      key={value ?? ''}
      type="button"
      className="plain"
      aria-pressed={value === selectedValue}
      onClick={() => onSelect(value)}
    >
      {text}
    </button>
  ))
}
