// The name of an uploaded file, and how many files belong to it.
import { pluralize } from '../../../../format/numbers.ts'
import type { Upload } from '../uploads.ts'

export function FileName({ upload: { name, companionCount } }: { upload: Upload }) {
  return (
    <>
      <strong>{name}</strong>
      {companionCount > 0 && <> with {pluralize(companionCount, 'samples file')}</>}
    </>
  )
}
