// An error instead of a row.
import { AssayError } from 'assay-client'
import { MessageBlock } from '../ui/messages/message-block.tsx'

export function PanelError({ error }: { error: unknown }) {
  const { title, detail } = textOf(error)
  return (
    <MessageBlock title={title} isError>
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
