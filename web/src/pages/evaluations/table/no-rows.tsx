// Empty state of the list: the active filters, and a button to remove each.
import { type PageSearch, useChangeSearchParams } from '../../../state/search-params.ts'
import { Button } from '../../../ui/button.tsx'
import { MessageBlock } from '../../../ui/messages/message-block.tsx'
import type { ListParams } from '../search-params.ts'

export function NoMatchingEvaluations({ params: { filters, evaluator } }: { params: ListParams }) {
  const changeParams = useChangeSearchParams<'/'>()
  const removals: [label: string, removal: PageSearch<'/'>][] = filters.map(
    ({ param, noun, value, format = String }) => [`${noun} ${format(value)}`, { [param]: undefined }],
  )
  if (evaluator !== undefined) removals.push([`evaluator ${evaluator}`, { evaluator: undefined }])
  return (
    <MessageBlock
      title="No evaluation matches"
      actions={removals.map(([label, removal]) => (
        <Button key={label} onClick={() => changeParams(removal)}>
          Remove filter: {label}
        </Button>
      ))}
    >
      <p>No evaluation matches {removals.map(([label]) => label).join(' and ')}.</p>
    </MessageBlock>
  )
}
