// Error pages: for a failed query, an unavailable server, an exception while rendering, and an unknown path.
import { isUnreachable } from '../api/client.ts'
import { useDocumentTitle } from '../ui/document-title.ts'
import { MessageBlock } from '../ui/messages/message-block.tsx'
import { ErrorMessage, NotFoundMessage } from './error-message.tsx'

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
  return <ErrorMessage error={error} deletedName={deletedName} />
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
      <NotFoundMessage />
    </main>
  )
}
