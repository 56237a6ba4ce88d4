// Which variant, revision and evaluator the list is about. What there is to choose is asked for when a menu opens.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { assay } from '../api.ts'
import { useChangeSearch } from '../change-search.ts'
import { Menu } from '../parts/menu.tsx'
import { Waiting } from '../parts/waiting.tsx'
import styles from './page.module.css'
import type { ListView } from './view.ts'

interface FilterMenuProps {
  noun: string
  chosen: string | undefined
  onClear: () => void
  children: ReactNode
}

function FilterMenu({ noun, chosen, onClear, children }: FilterMenuProps) {
  return (
    <Menu
      label={
        <span className={styles.choice}>
          <span className={chosen === undefined ? styles.noun : 'unseen'}>{noun}</span> {chosen}
        </span>
      }
      title={chosen === undefined ? `Any ${noun}` : `The ${noun} is ${chosen}`}
      className={chosen === undefined ? undefined : styles.chosen}
    >
      <div className="options">
        <button type="button" className="plain" aria-pressed={chosen === undefined} onClick={onClear}>
          Any {noun}
        </button>
        {children}
      </div>
    </Menu>
  )
}

interface ChoicesProps {
  choices: [value: string, text: string][] | undefined
  chosen: string | undefined
  onChoose: (value: string) => void
}

function Choices({ choices, chosen, onChoose }: ChoicesProps) {
  if (!choices) return <Waiting />
  return choices.map(([value, text]) => (
    <button
      key={value}
      type="button"
      className="plain"
      aria-pressed={value === chosen}
      onClick={() => onChoose(value)}
    >
      {text}
    </button>
  ))
}

export function VariantFilter({ view }: { view: ListView }) {
  const change = useChangeSearch()
  return (
    <FilterMenu
      noun="variant"
      chosen={view.variant}
      onClear={() => change({ variant_id: undefined, revision: undefined })}
    >
      <VariantChoices
        chosen={view.variant}
        onChoose={(id) => change({ variant_id: `eq.${id}`, revision: undefined })}
      />
    </FilterMenu>
  )
}

function VariantChoices(props: Omit<ChoicesProps, 'choices'>) {
  const { data } = useQuery({
    queryKey: ['variants', 'choices'],
    queryFn: ({ signal }) => assay.listVariants({}, { signal }),
  })
  return <Choices {...props} choices={data?.items.map(({ id, name }) => [id, name ?? id])} />
}

/** Numbers of revisions mean something within a variant alone. */
export function RevisionFilter({ view }: { view: ListView }) {
  const change = useChangeSearch()
  const { variant, revision } = view
  if (variant === undefined && revision === undefined) return null
  return (
    <FilterMenu
      noun="revision"
      chosen={revision === undefined ? undefined : `r${revision}`}
      onClear={() => change({ revision: undefined })}
    >
      {variant !== undefined && (
        <RevisionChoices
          variant={variant}
          chosen={revision}
          onChoose={(number) => change({ revision: `eq.${number}` })}
        />
      )}
    </FilterMenu>
  )
}

function RevisionChoices({ variant, ...props }: Omit<ChoicesProps, 'choices'> & { variant: string }) {
  const { data, isError } = useQuery({
    queryKey: ['variant', variant, 'choices'],
    queryFn: ({ signal }) => assay.listVariantRevisions(variant, {}, { signal }),
  })
  if (isError) return <p className={styles.menuNote}>There is no such variant.</p>
  const newestFirst = data?.toReversed()
  return (
    <Choices {...props} choices={newestFirst?.map(({ revision }) => [String(revision), `r${revision}`])} />
  )
}

export function EvaluatorFilter({ view, evaluators }: { view: ListView; evaluators: string[] }) {
  const change = useChangeSearch()
  return (
    <FilterMenu noun="evaluator" chosen={view.evaluator} onClear={() => change({ evaluator: undefined })}>
      <Choices
        choices={evaluators.map((name) => [name, name])}
        chosen={view.evaluator}
        onChoose={(evaluator) => change({ evaluator })}
      />
    </FilterMenu>
  )
}
