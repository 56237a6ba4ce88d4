// The page that lists evaluations with their scores against their baselines, and imports results.
import { AssayError } from 'assay-client'
import { Suspense, useState } from 'react'
import { useCanWrite } from '../../api/key.ts'
import { lazyComponent } from '../../api/lazy-modules.ts'
import { FailedPage } from '../../errors/error-page.tsx'
import { IgnoredParams } from '../../errors/ignored-params.tsx'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { Loading } from '../../ui/loading.tsx'
import { Footer } from './actions/footer.tsx'
import { Toolbar } from './actions/toolbar.tsx'
import { DropTarget } from './import/drop-target.tsx'
import { ImportSection } from './import/import-section.tsx'
import { TableReview } from './import/table/table-review.tsx'
import styles from './page.module.css'
import { useEvaluationList } from './page-state.ts'
import { SampleNotice } from './sample/sample-notice.tsx'
import { ScoreChart } from './score-chart.tsx'
import { isFiltered, useListParams } from './search-params.ts'
import { Table } from './table/table.tsx'

const FirstRun = lazyComponent(async () => (await import('./first-run.tsx')).FirstRun)

export function EvaluationsPage() {
  useDocumentTitle('Evaluations')
  const params = useListParams()
  const mayWrite = useCanWrite()
  const { list, data, error, isFetching } = useEvaluationList(params)
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  if (error instanceof AssayError && !data) return <FailedPage error={error} />
  const isEmpty = data !== undefined && list.loadedCount === 0 && !isFiltered(params)
  return (
    <>
      {mayWrite && <DropTarget />}
      {mayWrite && <TableReview />}
      {isEmpty ? (
        <Suspense>
          <FirstRun />
        </Suspense>
      ) : (
        <main className={styles.page}>
          <Toolbar list={list} params={params} />
          <IgnoredParams params={params.ignored} />
          <SampleNotice evaluations={list.rows} />
          <ScoreChart
            rows={list.rows}
            baselines={list.baselines}
            evaluator={params.evaluator ?? list.evaluators[0]}
          />
          <div className={styles.loading}>{isFetching && <Loading description="evaluations" />}</div>
          {data && <Table list={list} params={params} selectedIds={selectedIds} onSelect={setSelectedIds} />}
          {data && <Footer list={list} params={params} selectedIds={selectedIds} onSelect={setSelectedIds} />}
          {data && <ImportSection hasSpace={list.loadedCount <= 10} />}
        </main>
      )}
    </>
  )
}
