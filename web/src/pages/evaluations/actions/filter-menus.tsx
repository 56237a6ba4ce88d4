// The filters by variant, revision and evaluator. The options are loaded when a menu opens.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { assay } from '../../../api/client.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Loading } from '../../../ui/loading.tsx'
import { Menu } from '../../../ui/menu.tsx'
import styles from '../page.module.css'
import type { ListParams } from '../search-params.ts'

interface FilterMenuProps {
  noun: string
  selected: string | undefined
  onClear: () => void
  children: ReactNode
}

function FilterMenu({ noun, selected, onClear, children }: FilterMenuProps) {
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
        <button type="button" className="plain" aria-pressed={selected === undefined} onClick={onClear}>
          Any {noun}
        </button>
        {children}
      </div>
    </Menu>
  )
}

interface OptionsProps {
  options: [value: string, text: string][] | undefined
  selected: string | undefined
  onSelect: (value: string) => void
}

function Options({ options, selected, onSelect }: OptionsProps) {
  if (!options) return <Loading />
  return options.map(([value, text]) => (
    <button
      key={value}
      type="button"
      className="plain"
      aria-pressed={value === selected}
      onClick={() => onSelect(value)}
    >
      {text}
    </button>
  ))
}

export function VariantFilter({ params }: { params: ListParams }) {
  const changeParams = useChangeSearchParams()
  return (
    <FilterMenu
      noun="variant"
      selected={params.variant}
      onClear={() => changeParams({ variant_id: undefined, revision: undefined })}
    >
      <VariantOptions
        selected={params.variant}
        onSelect={(id) => changeParams({ variant_id: `eq.${id}`, revision: undefined })}
      />
    </FilterMenu>
  )
}

function VariantOptions(props: Omit<OptionsProps, 'options'>) {
  const { data } = useQuery({
    queryKey: ['variants', 'options'],
    queryFn: ({ signal }) => assay.listVariants({}, { signal }),
  })
  return <Options {...props} options={data?.items.map(({ id, name }) => [id, name ?? id])} />
}

/** Shown only with a variant, because revision numbers are per variant. */
export function RevisionFilter({ params }: { params: ListParams }) {
  const changeParams = useChangeSearchParams()
  const { variant, revision } = params
  if (variant === undefined && revision === undefined) return null
  return (
    <FilterMenu
      noun="revision"
      selected={revision === undefined ? undefined : `r${revision}`}
      onClear={() => changeParams({ revision: undefined })}
    >
      {variant !== undefined && (
        <RevisionOptions
          variant={variant}
          selected={revision}
          onSelect={(number) => changeParams({ revision: `eq.${number}` })}
        />
      )}
    </FilterMenu>
  )
}

function RevisionOptions({ variant, ...props }: Omit<OptionsProps, 'options'> & { variant: string }) {
  const { data, isError } = useQuery({
    queryKey: ['variant', variant, 'options'],
    queryFn: ({ signal }) => assay.listVariantRevisions(variant, {}, { signal }),
  })
  if (isError) return <p className={styles.menuNote}>Variant not found.</p>
  const newestFirst = data?.toReversed()
  return (
    <Options {...props} options={newestFirst?.map(({ revision }) => [String(revision), `r${revision}`])} />
  )
}

export function EvaluatorFilter({ params, evaluators }: { params: ListParams; evaluators: string[] }) {
  const changeParams = useChangeSearchParams()
  return (
    <FilterMenu
      noun="evaluator"
      selected={params.evaluator}
      onClear={() => changeParams({ evaluator: undefined })}
    >
      <Options
        options={evaluators.map((name) => [name, name])}
        selected={params.evaluator}
        onSelect={(evaluator) => changeParams({ evaluator })}
      />
    </FilterMenu>
  )
}
