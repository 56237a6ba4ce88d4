// A text of any length: its beginning, and the rest for whoever wants it.
import { useState } from 'react'
import { bytes } from '../format/numbers.ts'

const SHOWN = 4000

export function LongText({ text, shown = SHOWN }: { text: string; shown?: number }) {
  const [isWhole, setIsWhole] = useState(false)
  // Not worth a button that hides less than it takes up.
  if (isWhole || text.length <= shown * 1.1) return text
  return (
    <>
      {text.slice(0, shown)}…{' '}
      <button type="button" onClick={() => setIsWhole(true)}>
        Show the rest ({bytes(text.length - shown)})
      </button>
    </>
  )
}
