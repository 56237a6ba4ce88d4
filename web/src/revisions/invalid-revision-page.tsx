// The page for a URL whose revision is not a number.
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/button.tsx'
import { MessageBlock } from '../ui/messages/message-block.tsx'
import { revisionNumberOf } from './revision-number.ts'

/** `texts` are those of the URL, of which at least one is not a number. */
export function InvalidRevisionPage({ variantId, texts }: { variantId: string; texts: string[] }) {
  const invalid = texts.filter((text) => revisionNumberOf(text) === undefined)
  const names = invalid.map((text) => `“${text}”`).join(' and ')
  return (
    <main>
      <MessageBlock
        heading="h1"
        isError
        title={`${names} ${invalid.length === 1 ? 'is not a revision number' : 'are not revision numbers'}`}
        actions={
          <Link to="/variants/$variantId" params={{ variantId }} className={buttonClass({})}>
            All revisions of {variantId}
          </Link>
        }
      >
        <p>A revision is a number, for example 4. Correct the address, or open a revision from the list.</p>
      </MessageBlock>
    </main>
  )
}
