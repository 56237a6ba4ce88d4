// Compares two texts, as JSON if both can be JSON objects or arrays.
import { JsonDiffView } from './json-diff-view.tsx'
import { type DiffViewProps, TextDiffView } from './text-diff-view.tsx'

export function DiffView(props: Omit<DiffViewProps, 'children'>) {
  if (![props.oldText, props.newText].every((text) => /^\s*[{[]/.test(text)))
    return <TextDiffView {...props} />
  return <JsonDiffView {...props} />
}
