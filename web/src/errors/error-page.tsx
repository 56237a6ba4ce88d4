// Error pages: for a failed query, an unavailable server, an exception while rendering, and an unknown path.
import { Suspense } from 'react'
import { isUnreachable } from '../api/client.ts'
import { lazyComponent } from '../api/lazy-modules.ts'
import { useDocumentTitle } from '../ui/document-title.ts'
import { MessageBlock } from '../ui/messages/message-block.tsx'

const ErrorMessage = lazyComponent(async () => (await import('./error-message.tsx')).ErrorMessage)
const NotFoundMessage = lazyComponent(async () => (await import('./error-message.tsx')).NotFoundMessage)

interface ErrorPageProps {
  error: unknown
  /** What was displayed until it was deleted: "Geo four". */
  deletedName?: string | undefined
}

export function ErrorPage({ error, deletedName }: ErrorPageProps) {
  // The message about other errors could not be loaded.
  if (isUnreachable(error)) {
    return (
      <MessageBlock title="The server cannot be reached" heading="h1" isError>
        <p>The page appears as soon as the server responds. You do not need to reload it.</p>
      </MessageBlock>
    )
  }
  return (
    <Suspense>
      <ErrorMessage error={error} deletedName={deletedName} />
    </Suspense>
  )
}

/** For a page whose data could not be loaded. */
export function FailedPage(props: ErrorPageProps) {
  return (
    <main>
      <ErrorPage {...props} />
    </main>
  )
}

export function NotFoundPage() {
  useDocumentTitle('Page not found')
  return (
    <main>
      <Suspense>
        <NotFoundMessage />
      </Suspense>
    </main>
  )
}
