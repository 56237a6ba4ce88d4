// The first page: how the applications are doing, and all evaluations in sections.
import { AssayError } from 'assay-client'
import { Suspense, useState } from 'react'
import { useCanWrite } from '../../api/key.ts'
import { IgnoredParams } from '../../errors/error-notice.tsx'
import { FailedPage } from '../../errors/error-page.tsx'
import { scoreSoFar } from '../../groups/groups.ts'
import { RunningList } from '../../running/running.tsx'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { lazyComponent } from '../../ui/messages/lazy-component.tsx'
import { SkeletonRows } from '../../ui/messages/skeleton.tsx'
import { Header } from './actions/header.tsx'
import { Toolbar } from './actions/toolbar.tsx'
import { Cards } from './cards/cards.tsx'
import { DropTarget } from './import/drop-target.tsx'
import importStyles from './import/import.module.css'
import { isImportDialogOpen, useUploads } from './import/uploads.ts'
import styles from './page.module.css'
import { useEvaluationList, useOverview } from './page-state.ts'
import { isFiltered, useListParams } from './search-params.ts'
import { Sections } from './table/sections.tsx'

const ImportForm = lazyComponent(async () => (await import('./import/import-form.tsx')).ImportForm)
const SelectionBar = lazyComponent(async () => (await import('./actions/selection-bar.tsx')).SelectionBar)
const ImportDialog = lazyComponent(async () => (await import('./import/import-form.tsx')).ImportDialog)
const TableReview = lazyComponent(async () => (await import('./import/table/review-dialog.tsx')).TableReview)

export function EvaluationsPage() {
  useDocumentTitle('Evaluations')
  const params = useListParams()
  const mayWrite = useCanWrite()
  const overview = useOverview()
  const { list, data } = useEvaluationList(params, overview)
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const isImporting = isImportDialogOpen.use()
  // One dialog at a time: the import dialog opens again after the review.
  const isReviewing = useUploads().some(({ state }) => state === 'review')
  const { evaluations, error } = overview
  if (error instanceof AssayError && !evaluations) return <FailedPage error={error} />
  const isEmpty = evaluations?.length === 0 && !isFiltered(params)
  const running = evaluations?.filter(({ status }) => status === 'running') ?? []
  const selection = { selectedIds, onSelect: setSelectedIds }
  return (
    <>
      {mayWrite && <DropTarget />}
      <Suspense>{mayWrite && isReviewing && <TableReview />}</Suspense>
      {isEmpty ? (
        <FirstRun />
      ) : (
        <main className={styles.page}>
          <Header list={list} overview={overview} />
          <IgnoredParams params={params.ignored} />
          {running.length > 0 && <RunningList running={running} scoreOf={scoreSoFar} />}
          <Cards overview={overview} />
          <Toolbar list={list} params={params} overview={overview} isLoaded={data !== undefined} />
          {data ? <Sections list={list} params={params} {...selection} /> : <SkeletonRows rows={8} />}
          {list.rows.some(({ scores }) => scores?.base) && (
            <p className={styles.note}>
              Changes are paired with the rows of the baseline. Gray changes are tied: their 95 % confidence
              interval contains 0.
            </p>
          )}
          <Suspense>{selectedIds.size > 0 && <SelectionBar list={list} {...selection} />}</Suspense>
          <Suspense>{isImporting && !isReviewing && <ImportDialog />}</Suspense>
        </main>
      )}
    </>
  )
}

/** The empty state of the evaluations page: how to import the first results. It is replaced when they arrive. */
function FirstRun() {
  return (
    <main className={importStyles.firstRun}>
      <h1>Import your results</h1>
      <p className="muted">
        No evaluations yet. Import a file of your evaluation tool, or send results from code.
      </p>
      <Suspense fallback={<SkeletonRows rows={4} />}>
        <ImportForm />
      </Suspense>
      <p className="quiet" role="status">
        This page updates when the first results arrive.
      </p>
    </main>
  )
}
