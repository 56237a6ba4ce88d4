// The title of the list, its count and its filters: the name as a field, the others in a menu. A narrow page has all filters
// in a sheet.
import { useQuery } from '@tanstack/react-query'
import type { Variant } from 'assay-client'
import { ListFilter as FilterIcon, Search } from 'lucide'
import { useState } from 'react'
import { assay } from '../../../api/client.ts'
import { formatCount } from '../../../format/numbers.ts'
import { type PageSearch, useChangeSearchParams } from '../../../state/search-params.ts'
import { Button } from '../../../ui/button.tsx'
import { FilterChip } from '../../../ui/chip.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useIsNarrow } from '../../../ui/media.ts'
import { ChoiceMenu } from '../../../ui/menus/choice-menu.tsx'
import { Menu } from '../../../ui/menus/menu.tsx'
import { Dialog } from '../../../ui/messages/dialog.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import type { EvaluationList, Overview } from '../page-state.ts'
import { type FilterParam, LIST_FILTERS, type ListParams } from '../search-params.ts'
import styles from './toolbar.module.css'

interface FiltersProps {
  list: EvaluationList
  params: ListParams
  overview: Overview
}

function Filters(props: FiltersProps) {
  const isNarrow = useIsNarrow()
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const { list, params, overview } = props
  const form = <FilterForm list={list} params={params} variants={overview.variants} />
  if (!isNarrow) {
    return (
      <search className={styles.filters}>
        <NameField params={params} />
        <Menu label="Filter" icon={FilterIcon} size="small" variant="plain" align="end">
          {form}
        </Menu>
      </search>
    )
  }
  return (
    <search className={styles.filters}>
      <Button icon={FilterIcon} size="small" variant="plain" onClick={() => setIsSheetOpen(true)}>
        Filter
      </Button>
      {isSheetOpen && (
        <Dialog title="Filter" isSheet onClose={() => setIsSheetOpen(false)}>
          <NameField params={params} />
          {form}
        </Dialog>
      )}
    </search>
  )
}

function NameField({ params }: { params: ListParams }) {
  const changeParams = useChangeSearchParams<'/'>()
  const name = params.filters.find(({ param }) => param === 'name')?.value ?? ''
  return (
    <span className={styles.nameField}>
      <Icon icon={Search} size={14} />
      <SearchField
        text={name}
        onText={(text) =>
          changeParams({ name: text === '' ? undefined : `contains.${text}` }, { replace: true })
        }
        label="Filter by name"
        placeholder="Filter by name"
      />
    </span>
  )
}

/** The active filters, each with a button to remove it. */
function ActiveFilters({ params }: { params: ListParams }) {
  const changeParams = useChangeSearchParams<'/'>()
  const { filters, evaluator } = params
  if (filters.length === 0 && evaluator === undefined) return null
  return (
    <div className={styles.active}>
      {filters.map(({ param, noun, value, format = String }) => (
        <FilterChip
          key={param}
          removeLabel={`Remove filter: ${noun} ${format(value)}`}
          onRemove={() => changeParams(filterChange(param))}
        >
          {noun} {format(value)}
        </FilterChip>
      ))}
      {evaluator !== undefined && (
        <FilterChip
          removeLabel={`Remove filter: evaluator ${evaluator}`}
          onRemove={() => changeParams({ evaluator: undefined })}
        >
          evaluator {evaluator}
        </FilterChip>
      )}
    </div>
  )
}

type Option = [value: string, text: string]

interface FilterFormProps {
  list: EvaluationList
  params: ListParams
  variants: ReadonlyMap<string, Variant>
}

/** The contents of the filter menu. */
function FilterForm({ list, params, variants }: FilterFormProps) {
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
  // A value of the URL can be missing in the options.
  const isListed = value === undefined || options.some(([each]) => each === value)
  const listed: Option[] = isListed ? options : [[value, format(value)], ...options]
  return (
    <>
      <span aria-hidden="true" className={styles.noun}>
        {noun}
      </span>
      <ChoiceMenu
        isField
        title={noun}
        value={value ?? ''}
        options={[['', `Any ${noun}`], ...listed].map(([value = '', name]) => ({ value, name }))}
        onSelect={(next) => onSelect(next || undefined)}
      />
    </>
  )
}

/** Sets or removes a filter, together with those that depend on it. */
function filterChange(param: FilterParam, value?: string): PageSearch<'/'> {
  const dependents = LIST_FILTERS.filter(({ dependsOn }) => dependsOn === param)
  return { ...Object.fromEntries(dependents.map((filter) => [filter.param, undefined])), [param]: value }
}

interface ToolbarProps {
  list: EvaluationList
  params: ListParams
  overview: Overview
  /** Whether the evaluations are loaded. */
  isLoaded: boolean
}

/** The title of the list, its count and its filters. */
export function Toolbar({ list, params, overview, isLoaded }: ToolbarProps) {
  return (
    <>
      <div className={styles.toolbar}>
        <h2>All evaluations</h2>
        <span role="status" className="quiet">
          {isLoaded && countText(list, params)}
        </span>
        {list.isShortened && <span className={`quiet ${styles.order}`}>Needs attention first</span>}
        <Filters list={list} params={params} overview={overview} />
      </div>
      <ActiveFilters params={params} />
    </>
  )
}

/** The total is unknown until the last page is loaded. */
function countText(
  { matchingCount, hasMore }: EvaluationList,
  { order, filters, evaluator }: ListParams,
): string {
  const isFiltered = filters.length > 0 || evaluator !== undefined
  const count = `${hasMore ? 'more than ' : ''}${formatCount(matchingCount)}`
  const matching = isFiltered ? `${count} match` : count
  return order
    ? `${matching}, ${hasMore ? 'loaded rows ' : ''}sorted by ${order.column.replace(/^result\./, '')}`
    : matching
}
