// Collapsible raw JSON of one or two revisions, requested when it is opened.
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorPage } from '../errors/error-page.tsx'
import { revisionTextQuery } from '../queries/variants.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Loading } from '../ui/messages/loading.tsx'
import { LongText } from '../ui/truncation.tsx'
import styles from './revisions.module.css'

export function RawText({ id, numbers }: { id: string; numbers: number[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const results = useQueries({
    queries: numbers.map((number) => ({ ...revisionTextQuery(id, number), enabled: isOpen })),
  })
  const texts = results.flatMap(({ data }) => data ?? [])
  const error = results.find((result) => result.error)?.error
  const isLoaded = texts.length === numbers.length
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Raw JSON</summary>
      {error && <ErrorPage error={error} />}
      {!error && !isLoaded && <Loading />}
      {isLoaded && texts.length === 1 && (
        <>
          <CopyButton text={texts[0] ?? ''}>Copy</CopyButton>
          <Json text={texts[0] ?? ''} />
        </>
      )}
      {isLoaded && texts.length > 1 && (
        <>
          <CopyButton text={`[${texts.join(',\n')}]\n`} message="Copied as a JSON array.">
            Copy both
          </CopyButton>
          <div className={styles.both}>
            {texts.map((text, side) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: both texts can be equal
              <div key={side}>
                <h3>r{numbers[side]}</h3>
                <Json text={text} />
              </div>
            ))}
          </div>
        </>
      )}
    </details>
  )
}

function Json({ text }: { text: string }) {
  return (
    <pre className={styles.raw}>
      <LongText text={text} maxLength={20_000} />
    </pre>
  )
}
