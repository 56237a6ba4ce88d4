// Collapsible raw JSON of revisions, requested when it is opened.
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ErrorPage } from '../errors/error-page.tsx'
import { revisionTextQuery } from '../queries/variants.ts'
import { Loading } from '../ui/loading.tsx'

interface RawTextProps {
  id: string
  /** Revision numbers. */
  numbers: number[]
  children: (texts: string[]) => ReactNode
}

export function RawText({ id, numbers, children }: RawTextProps) {
  const [isOpen, setIsOpen] = useState(false)
  const results = useQueries({
    queries: numbers.map((number) => ({ ...revisionTextQuery(id, number), enabled: isOpen })),
  })
  const texts = results.flatMap(({ data }) => data ?? [])
  const error = results.find((result) => result.error)?.error
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Raw JSON</summary>
      {error && <ErrorPage error={error} />}
      {!error && texts.length < numbers.length && <Loading />}
      {texts.length === numbers.length && children(texts)}
    </details>
  )
}
