// The filters of the list: the name as a field, the others in a menu. A narrow page has all of them in a sheet.
import { ListFilter as FilterIcon, Search } from 'lucide'
import { useState } from 'react'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Button } from '../../../ui/button.tsx'
import { FilterChip } from '../../../ui/filter-chip.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useIsNarrow } from '../../../ui/media.ts'
import { Menu } from '../../../ui/menus/menu.tsx'
import { Dialog } from '../../../ui/messages/dialog.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import type { EvaluationList, Overview } from '../page-state.ts'
import type { ListParams } from '../search-params.ts'
import { filterChange } from './filter-change.ts'
import { FilterForm } from './filter-form.tsx'
import styles from './toolbar.module.css'

interface FiltersProps {
  list: EvaluationList
  params: ListParams
  overview: Overview
}

export function Filters(props: FiltersProps) {
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
export function ActiveFilters({ params }: { params: ListParams }) {
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
