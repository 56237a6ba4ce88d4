// Compares two texts, as JSON if both can be JSON objects or arrays.
import { Suspense } from 'react'
import { lazyComponent } from '../api/lazy-modules.ts'
import { type DiffViewProps, TextDiffView } from './text-diff-view.tsx'

const JsonDiffView = lazyComponent(async () => (await import('./json-diff-view.tsx')).JsonDiffView)

export function DiffView(props: Omit<DiffViewProps, 'children'>) {
  if (![props.oldText, props.newText].every((text) => /^\s*[{[]/.test(text)))
    return <TextDiffView {...props} />
  return (
    <Suspense>
      <JsonDiffView {...props} />
    </Suspense>
  )
}
