// The report of an import: what was added, skipped and changed.
import { Link } from '@tanstack/react-router'
import type { ImportReport } from 'assay-client'
import { pluralize } from '../../../format/numbers.ts'
import { FileName } from './file-name.tsx'
import { FilePositions } from './file-positions.tsx'
import styles from './import.module.css'
import { sendAgain } from './send-files.ts'
import type { Upload } from './uploads.ts'

type Counts = ImportReport['variants'][number]

export function UploadReport({ upload, report }: { upload: Upload; report: ImportReport }) {
  const { options } = upload
  const { format, stored, evaluations, variants, refused, refusals, repaired, repairs, first } = report
  return (
    <div className={styles.report}>
      <p>
        <FileName upload={upload} /> {stored ? 'was imported' : 'was checked, nothing was stored'}{' '}
        <span className="muted">(format: {format})</span>
      </p>
      <ul>
        {evaluations.map((evaluation) => (
          <li key={evaluation.id}>
            Evaluation{' '}
            {stored ? (
              <Link to="/evaluations/$evaluationId" params={{ evaluationId: evaluation.id }}>
                {evaluation.id}
              </Link>
            ) : (
              evaluation.id
            )}
            : {countsText(evaluation, 'scenario', stored)}
          </li>
        ))}
        {variants.map((variant) => (
          <li key={variant.id}>
            Variant{' '}
            {stored ? (
              <Link to="/variants/$variantId" params={{ variantId: variant.id }}>
                {variant.id}
              </Link>
            ) : (
              variant.id
            )}
            : {countsText(variant, 'revision', stored)}
          </li>
        ))}
      </ul>
      <FilePositions
        title={`${pluralize(refused, 'record')} skipped`}
        count={Math.max(refused, refusals.length)}
        positions={refusals}
      />
      <FilePositions title="Stored with changes" count={repaired} positions={repairs} />
      {first.length > 0 && (
        <details>
          <summary>Preview of {pluralize(first.length, 'scenario')}</summary>
          <pre className={styles.preview}>{JSON.stringify(first, null, 2)}</pre>
        </details>
      )}
      {options.dry_run && (refused === 0 || options.skip_invalid) && (
        <button type="button" onClick={() => sendAgain(upload)}>
          Import
        </button>
      )}
    </div>
  )
}

function countsText({ accepted, unchanged }: Counts, noun: string, isStored: boolean): string {
  const parts = [
    accepted > 0 && `${pluralize(accepted, noun)} ${isStored ? 'added' : 'to add'}`,
    unchanged > 0 && `${pluralize(unchanged, noun)} unchanged`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? `no ${noun}` : parts.join(', ')
}
