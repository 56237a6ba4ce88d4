// The content of the panel without its row: while the row or the script that displays it is loading, or after an error.
import {
  type QueryFunction,
  type QueryFunctionContext,
  type UseQueryOptions,
  useQuery,
} from '@tanstack/react-query'
import { AssayError } from 'assay-client'
import { X } from 'lucide'
import type { ReactNode } from 'react'
import { isUnreachable } from '../api/client.ts'
import { useChangeSearchParams } from '../state/search-params.ts'
import { useLoadingPanel, useShortcuts } from '../state/shortcuts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { FailedPart } from '../ui/messages/lazy-component.tsx'
import { MessageBlock } from '../ui/messages/message-block.tsx'
import { Skeleton } from '../ui/messages/skeleton.tsx'
import styles from './panel.module.css'
import header from './panel-header.module.css'

interface PanelFallbackProps<Data> {
  /** The request for the row, which starts while the script is loading. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of the response and the key do not matter here
  request: UseQueryOptions<Data, Error, Data, any>
  onClose: () => void
}

export function PanelFallback<Data>({ request, onClose }: PanelFallbackProps<Data>) {
  const load = request.queryFn as QueryFunction<Data>
  const { failureReason } = useQuery({
    ...request,
    // Without the signal of the query, the request continues when the panel replaces the fallback.
    queryFn: () => load({} as QueryFunctionContext),
  })
  return (
    <LoadingPanel onClose={onClose}>
      <RowSkeleton failure={failureReason} />
    </LoadingPanel>
  )
}

/** When the script that displays the row could not be loaded. */
export function PanelFailure({ error }: { error: unknown }) {
  const changeParams = useChangeSearchParams()
  return (
    <LoadingPanel onClose={() => changeParams({ row: undefined })}>
      {isUnreachable(error) ? <RowSkeleton failure={error} /> : <FailedPart error={error} />}
    </LoadingPanel>
  )
}

function LoadingPanel({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  useLoadingPanel(true)
  useShortcuts('panel', { Escape: { label: 'Close row', run: onClose } })
  return (
    <>
      <header className={header.header}>
        <div className={header.position}>
          <h2>Row</h2>
          <Skeleton width={12} />
        </div>
        <IconButton icon={X} size="small" label="Close" shortcut="Esc" onClick={onClose} />
      </header>
      {children}
    </>
  )
}

/** In the shape of a row: verdicts, inputs, and two texts next to results. */
export function RowSkeleton({ failure }: { failure: unknown }) {
  if (isUnreachable(failure)) {
    return (
      <MessageBlock title="The server cannot be reached" isError>
        <p>This row was not loaded before. It appears as soon as the server responds.</p>
      </MessageBlock>
    )
  }
  return (
    <div aria-hidden="true" className={styles.skeleton}>
      <p>
        {[14, 12, 13].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </p>
      <div className={styles.skeletonBox}>
        {[60, 52, 40].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
      <div className={`${styles.skeletonBox} ${styles.skeletonColumns}`}>
        {[18, 16, 12, 15, 17, 10, 13, 14, 11].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </div>
  )
}

interface RowErrorProps {
  error: unknown
  onClose: () => void
}

/** An error instead of a row in the panel, at the height of an error of a page. */
export function PanelError({ error, onClose }: RowErrorProps) {
  return (
    <div className={styles.error}>
      <RowError error={error} actions={<Button onClick={onClose}>Close row</Button>} />
    </div>
  )
}

/** An error instead of the page of a row, below its breadcrumb. */
export function RowErrorPage({ error, onClose }: RowErrorProps) {
  return (
    <div className={styles.pageError}>
      <RowError error={error} heading="h1" actions={<Button onClick={onClose}>All rows</Button>} />
    </div>
  )
}

interface RowErrorBlockProps {
  error: unknown
  heading?: 'h1'
  actions: ReactNode
}

function RowError({ error, ...rest }: RowErrorBlockProps) {
  const { title, detail } = textOf(error)
  return (
    <MessageBlock title={title} isError {...rest}>
      <p>{detail}</p>
    </MessageBlock>
  )
}

function textOf(error: unknown): { title: string; detail: string } {
  if (!(error instanceof AssayError)) return { title: 'This row cannot be displayed', detail: String(error) }
  // The detail of a 404 names API requests.
  return error.status === 404
    ? {
        title: 'This row does not exist',
        detail: 'It was deleted, or the address is wrong. Open another row.',
      }
    : error
}
