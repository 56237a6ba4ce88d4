// Two to four evaluations beside each other: whether the candidates are better than the base, then where they are not.
import { AssayError } from 'assay-client'
import { Ignored } from '../parts/ignored.tsx'
import { Chips } from './chips.tsx'
import { Choosing } from './choosing.tsx'
import { Figures } from './figures.tsx'
import { FilterBar } from './filter-bar.tsx'
import { Grid } from './grid.tsx'
import { Head } from './head.tsx'
import { NotCompared } from './not-compared.tsx'
import styles from './page.module.css'
import { RowPanel } from './row-panel.tsx'
import { useShown } from './shown.ts'
import { Warnings } from './warnings.tsx'

export function ComparisonPage() {
  const shown = useShown()
  const { view, comparison, error } = shown
  if (view.evaluations.length < 2) return <Choosing first={view.evaluations[0]} />
  return (
    <main className={styles.page}>
      <section className={styles.comparison} aria-label="Comparison">
        <Head shown={shown} />
        <Ignored parts={shown.ignored} />
        {error instanceof AssayError && !comparison ? (
          <NotCompared shown={shown} error={error} />
        ) : (
          <>
            <Warnings shown={shown} />
            <Figures shown={shown} />
            <Chips shown={shown} />
            <FilterBar shown={shown} />
            <Grid key={view.evaluations.join('\n')} shown={shown} />
          </>
        )}
      </section>
      {view.row && (comparison || !error) && (
        <RowPanel key={view.evaluations.join('\n')} shown={shown} row={view.row} />
      )}
    </main>
  )
}
