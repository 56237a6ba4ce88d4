// What was found in a file and what became of it, as the service reports it.
import { Link } from '@tanstack/react-router'
import type { ImportReport } from 'assay-client'
import { counted } from '../format/numbers.ts'
import styles from './import.module.css'
import { Places } from './places.tsx'
import { type Upload, upload as uploadFiles } from './uploads.ts'

type Counts = ImportReport['evaluations'][number]

export function UploadReport({ upload, report }: { upload: Upload; report: ImportReport }) {
  const { file, choices } = upload
  const { format, stored, evaluations, variants, refused, refusals, repaired, repairs, first } = report
  return (
    <div className={styles.report}>
      <p>
        <strong>{file.name}</strong> {stored ? 'is imported' : 'was only looked at, nothing was stored'}{' '}
        <span className="soft">(read as {format})</span>
      </p>
      <ul>
        {evaluations.map((one) => (
          <li key={one.id}>
            Evaluation{' '}
            {stored ? (
              <Link to="/evaluations/$evaluationId" params={{ evaluationId: one.id }}>
                {one.id}
              </Link>
            ) : (
              one.id
            )}
            : {added(one, 'scenario', stored)}
          </li>
        ))}
        {variants.map((one) => (
          <li key={one.id}>
            Variant{' '}
            {stored ? (
              <Link to="/variants/$variantId" params={{ variantId: one.id }}>
                {one.id}
              </Link>
            ) : (
              one.id
            )}
            : {added(one, 'revision', stored)}
          </li>
        ))}
      </ul>
      <Places
        title={`${counted(refused, 'record')} left out`}
        count={Math.max(refused, refusals.length)}
        places={refusals}
      />
      <Places title="Kept in another form" count={repaired} places={repairs} />
      {first.length > 0 && (
        <details>
          <summary>The first {counted(first.length, 'scenario')} as they would be stored</summary>
          <pre className={styles.look}>{JSON.stringify(first, null, 2)}</pre>
        </details>
      )}
      {choices.dry_run && (refused === 0 || choices.skip_invalid) && (
        <button type="button" onClick={() => uploadFiles([file], { ...choices, dry_run: undefined })}>
          Store it
        </button>
      )}
    </div>
  )
}

function added({ accepted, unchanged }: Counts, noun: string, isStored: boolean): string {
  const parts = [
    accepted > 0 && `${counted(accepted, noun)} ${isStored ? 'added' : 'to add'}`,
    unchanged > 0 && `${counted(unchanged, noun)} there already`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? `no ${noun}` : parts.join(', ')
}
