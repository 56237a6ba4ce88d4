// A revision exactly as it was written, for whoever wants to read it or take it along: asked for when it is looked at.
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { revisionTextQuestion } from '../variant/questions.ts'

interface RawTextProps {
  id: string
  /** The revisions that are shown. */
  numbers: number[]
  children: (texts: string[]) => ReactNode
}

export function RawText({ id, numbers, children }: RawTextProps) {
  const [isOpen, setOpen] = useState(false)
  const answers = useQueries({
    queries: numbers.map((number) => ({ ...revisionTextQuestion(id, number), enabled: isOpen })),
  })
  const texts = answers.flatMap(({ data }) => data ?? [])
  const error = answers.find((one) => one.error)?.error
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Raw JSON</summary>
      {error && <Failure error={error} />}
      {!error && texts.length < numbers.length && <Waiting />}
      {texts.length === numbers.length && children(texts)}
    </details>
  )
}
