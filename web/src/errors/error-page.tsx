// Error pages: a failed request, a page that does not exist, and what both say about the error.
import { Link, useLocation } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { isUnreachable } from '../api/client.ts'
import { useKey } from '../api/key.ts'
import { MissingScriptError } from '../api/lazy-modules.ts'
import { useRestriction } from '../api/restriction.ts'
import { signOut } from '../api/session.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { useDocumentTitle } from '../ui/document-title.ts'
import { MessageBlock } from '../ui/messages/message-block.tsx'
import { CopyDetailsButton } from './error-notice.tsx'

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

/** What the error pages say, with actions. */
function ErrorMessage({ error, deletedName }: { error: unknown; deletedName?: string | undefined }) {
  if (deletedName !== undefined) return <DeletedMessage name={deletedName} />
  return error instanceof AssayError ? <ApiErrorMessage error={error} /> : <ExceptionMessage error={error} />
}

function DeletedMessage({ name }: { name: string }) {
  return (
    <MessageBlock title="This evaluation was deleted" heading="h1" isError actions={<ListLink />}>
      <p>
        <strong>{name}</strong> was deleted while this page was open. Its rows cannot be read anymore.
      </p>
    </MessageBlock>
  )
}

function ApiErrorMessage({ error }: { error: AssayError }) {
  const { data: keyInfo } = useKey()
  const isOtherProject = error.status === 403 && keyInfo !== undefined
  const useAnotherKey = () => signOut(`Your key is for project ${keyInfo?.project}. ${error.detail}`)
  return (
    <MessageBlock
      title={error.title}
      heading="h1"
      isError
      actions={
        <>
          {isOtherProject && <Button onClick={useAnotherKey}>Use another key</Button>}
          <ListLink />
          <CopyDetailsButton error={error} />
        </>
      }
    >
      {/* The detail of a 404 names API requests. */}
      <p>
        {error.status === 404
          ? 'It was deleted, the address is wrong, or your key cannot read it.'
          : error.detail}
      </p>
      {isOtherProject && (
        <p>
          Your key is for project <strong>{keyInfo.project}</strong>.
        </p>
      )}
    </MessageBlock>
  )
}

function ExceptionMessage({ error }: { error: unknown }) {
  const isScriptMissing = error instanceof MissingScriptError
  return (
    <MessageBlock
      title={isScriptMissing ? 'This page could not be loaded' : 'This page could not be displayed'}
      heading="h1"
      isError
      actions={
        <>
          <Button onClick={() => location.reload()}>Reload</Button>
          <CopyButton
            variant="plain"
            text={error instanceof Error ? (error.stack ?? String(error)) : String(error)}
          >
            Copy details
          </CopyButton>
        </>
      }
    >
      {isScriptMissing ? (
        <p>
          The server did not send a script of this page. Reload it. If it happens again, the installation is
          incomplete, or several versions of Assay serve this address: tell your administrator.
        </p>
      ) : (
        <p>Reload it. If it happens again, report the details.</p>
      )}
      <p>
        <code>{String(isScriptMissing ? error.cause : error)}</code>
      </p>
    </MessageBlock>
  )
}

/** The list that the current page belongs to. A share link cannot read it. */
function ListLink() {
  const isRestricted = useRestriction() !== null
  const listPath = useLocation().pathname.startsWith('/variants') ? '/variants' : '/'
  if (isRestricted) return null
  return (
    <Link to={listPath} className={buttonClass({})}>
      All {listPath.slice(1) || 'evaluations'}
    </Link>
  )
}

function NotFoundMessage() {
  return (
    <MessageBlock title="Page not found" heading="h1" actions={<ListLink />}>
      <p>There is no page at this address. Check it, or search with Ctrl K.</p>
    </MessageBlock>
  )
}
