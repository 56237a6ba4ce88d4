// Two to four evaluations beside each other: whether the candidates are better than the base, then where they are not.
import { AssayError } from 'assay-client'
import { Failure } from '../parts/failure.tsx'
import { Ignored } from '../parts/ignored.tsx'
import { Chips } from './chips.tsx'
import { Figures } from './figures.tsx'
import { FilterBar } from './filter-bar.tsx'
import { Grid } from './grid.tsx'
import { Head } from './head.tsx'
import styles from './page.module.css'
import { RowPanel } from './row-panel.tsx'
import { useShown } from './shown.ts'
import { Warnings } from './warnings.tsx'

export function ComparisonPage() {
  const shown = useShown()
  const { view, comparison, error } = shown
  if (error instanceof AssayError && !comparison) return <Failure error={error} />
  return (
    <main className={styles.page}>
      <section className={styles.comparison} aria-label="Comparison">
        <Head shown={shown} />
        <Ignored parts={shown.ignored} />
        <Warnings shown={shown} />
        <Figures shown={shown} />
        <Chips shown={shown} />
        <FilterBar shown={shown} />
        <Grid key={view.evaluations.join('\n')} shown={shown} />
      </section>
      {view.row && <RowPanel key={view.evaluations.join('\n')} shown={shown} row={view.row} />}
    </main>
  )
}
