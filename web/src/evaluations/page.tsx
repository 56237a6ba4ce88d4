// The list of evaluations: what ran and how it did against its baseline; and where results are imported.
import { AssayError } from 'assay-client'
import { useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Ignored } from '../parts/ignored.tsx'
import { useTitle } from '../parts/title.ts'
import { Waiting } from '../parts/waiting.tsx'
import { useMayWrite } from '../shell/key.ts'
import { Bars } from './bars.tsx'
import { DropAnywhere } from './drop-anywhere.tsx'
import { FirstRun } from './first-run.tsx'
import { Foot } from './foot.tsx'
import { ImportStrip } from './import-strip.tsx'
import { useListed } from './listed.ts'
import styles from './page.module.css'
import { SampleNotice } from './sample-notice.tsx'
import { Table } from './table.tsx'
import { Toolbar } from './toolbar.tsx'
import { isFiltered, useListView } from './view.ts'

export function EvaluationsPage() {
  useTitle('Evaluations')
  const view = useListView()
  const mayWrite = useMayWrite()
  const { listed, data, error, isFetching } = useListed(view)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  if (error instanceof AssayError && !data) {
    return (
      <main>
        <Failure error={error} />
      </main>
    )
  }
  const isEmpty = data !== undefined && listed.loaded === 0 && !isFiltered(view)
  return (
    <>
      {mayWrite && <DropAnywhere />}
      {isEmpty ? (
        <FirstRun />
      ) : (
        <main className={styles.page}>
          <Toolbar listed={listed} view={view} />
          <Ignored parts={view.ignored} />
          <SampleNotice evaluations={listed.rows} />
          <Bars
            rows={listed.rows}
            baselines={listed.baselines}
            evaluator={view.evaluator ?? listed.evaluators[0]}
          />
          <div className={styles.waiting}>{isFetching && <Waiting about="the evaluations" />}</div>
          {data && <Table listed={listed} view={view} selected={selected} onSelect={setSelected} />}
          {data && <Foot listed={listed} view={view} selected={selected} onSelect={setSelected} />}
          {data && <ImportStrip isRoomy={listed.loaded <= 10} />}
        </main>
      )}
    </>
  )
}
