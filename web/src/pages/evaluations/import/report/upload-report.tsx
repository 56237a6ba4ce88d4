// The report of an import: what was read, added, replaced, rejected, changed and not kept.
import { Link } from '@tanstack/react-router'
import type { ImportColumn, ImportReport } from 'assay-client'
import { pluralize } from '../../../../format/numbers.ts'
import { Button } from '../../../../ui/button.tsx'
import styles from '../import.module.css'
import { sendAgain } from '../send-files.ts'
import { ORIGIN_LABELS, ROLE_LABELS, TYPE_LABELS } from '../table/roles.ts'
import type { Upload } from '../uploads.ts'
import { FilePositions } from './file-positions.tsx'
import { countsText } from './report-texts.ts'

export function UploadReport({ upload, report }: { upload: Upload; report: ImportReport }) {
  const { options } = upload
  const { format, stored, read, refused, refusals, repaired, repairs, omitted, omissions, first } = report
  return (
    <div className={styles.report}>
      <p>
        <FileName upload={upload} /> {stored ? 'was imported' : 'was checked, nothing was stored'}{' '}
        <span className="muted">
          (format: {format}, {pluralize(read, 'record')} read)
        </span>
      </p>
      <ImportedItems report={report} />
      <MissingRows report={report} />
      <FilePositions
        title={`${pluralize(refused, 'record')} rejected`}
        count={Math.max(refused, refusals.length)}
        positions={refusals}
      />
      <FilePositions title="Not kept" count={omitted} positions={omissions} />
      <FilePositions title="Stored with changes" count={repaired} positions={repairs} />
      <FilePositions title="Notes" count={report.notes.length} positions={report.notes} />
      <ColumnRoles columns={report.columns} />
      {first.length > 0 && (
        <details>
          <summary>Preview of {pluralize(first.length, 'scenario')}</summary>
          <pre className={styles.preview}>{JSON.stringify(first, null, 2)}</pre>
        </details>
      )}
      {options.dry_run && (refused === 0 || options.skip_invalid) && (
        <Button size="small" onClick={() => sendAgain(upload)}>
          Import
        </Button>
      )}
    </div>
  )
}

/** Stored rows that the file no longer has. */
function MissingRows({ report: { evaluations } }: { report: ImportReport }) {
  return evaluations.map(({ id, name, missing = 0, missing_ids = [] }) =>
    missing === 0 ? null : (
      <p key={id}>
        {pluralize(missing, 'stored scenario')} of {name} {missing === 1 ? 'is' : 'are'} not in this file:{' '}
        {missing_ids.join(', ')}
        {missing > missing_ids.length && ', …'}. To delete {missing === 1 ? 'it' : 'them'}, choose{' '}
        <em>Replace all rows</em> under Options and import the file again. The command line has{' '}
        <code>--replace</code>.
      </p>
    ),
  )
}

/** Evaluations and variants, as links if they are stored. */
function ImportedItems({ report: { stored, evaluations, variants } }: { report: ImportReport }) {
  return (
    <ul>
      {evaluations.map(({ id, name, updated, ...counts }) => (
        <li key={id}>
          Evaluation{' '}
          {stored ? (
            <Link
              to="/evaluations/$evaluationId"
              params={{ evaluationId: id }}
              className="count-link"
              data-tooltip={id}
            >
              {name}
            </Link>
          ) : (
            name
          )}
          : {countsText(counts, 'scenario', stored)}
          {updated.length > 0 && `; ${stored ? 'updated' : 'to update'}: ${updated.join(', ')}`}
        </li>
      ))}
      {variants.map(({ id, ...counts }) => (
        <li key={id}>
          Variant{' '}
          {stored ? (
            <Link to="/variants/$variantId" params={{ variantId: id }} className="count-link">
              {id}
            </Link>
          ) : (
            id
          )}
          : {countsText(counts, 'revision', stored)}
        </li>
      ))}
    </ul>
  )
}

/** The name of an uploaded file, and how many files belong to it. */
export function FileName({ upload: { name, companionCount } }: { upload: Upload }) {
  return (
    <>
      <strong>{name}</strong>
      {companionCount > 0 && <> with {pluralize(companionCount, 'samples file')}</>}
    </>
  )
}

/** The collapsed list of table columns with the roles that they were imported with. */
export function ColumnRoles({ columns }: { columns: ImportColumn[] }) {
  if (columns.length === 0) return null
  return (
    <details className={styles.columnRoles}>
      <summary>Roles of {pluralize(columns.length, 'column')}</summary>
      <table>
        <thead>
          <tr>
            <th>Column</th>
            <th>Contains</th>
            <th>Detected</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <tr key={column.name}>
              <td>{column.name}</td>
              <td>{describeRole(column)}</td>
              <td className="muted">{ORIGIN_LABELS[column.origin]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** "Score judge, percent" */
function describeRole({ name, role, key, type }: ImportColumn): string {
  const keyText = key === null || key === name ? '' : ` ${key}`
  const typeText = type === null ? undefined : TYPE_LABELS[role]?.[type]
  return `${ROLE_LABELS[role]}${keyText}${typeText === undefined ? '' : `, ${typeText.toLowerCase()}`}`
}
