// A name such as `context_recall_judge` that wraps after a separator instead of in the middle of a word.
import { Fragment } from 'react'

const AFTER_SEPARATOR = /(?<=[_./:-])(?=[^_./:-])/

export function BreakableName({ name }: { name: string }) {
  return (
    <bdi>
      {name.split(AFTER_SEPARATOR).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  )
}
