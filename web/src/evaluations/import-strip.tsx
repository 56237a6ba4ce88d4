// Import your results, below the list: one line to drop or choose files, and more for those who want it.
import { setPreference, usePreference } from '../preferences.ts'
import { useKey, useMayWrite } from '../shell/key.ts'
import { FileButton } from './file-button.tsx'
import styles from './import.module.css'
import { ImportOptions } from './import-choices.tsx'
import { ImportLines } from './import-lines.tsx'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './uploads.ts'

const PLACE = 'evaluations.import'

/** `isRoomy`: a short list leaves room for all of it, while there is no report to read. */
export function ImportStrip({ isRoomy }: { isRoomy: boolean }) {
  const mayWrite = useMayWrite()
  const preferred = usePreference(PLACE)
  const uploads = useUploads()
  const isOpen = preferred === undefined ? isRoomy && uploads.length === 0 : preferred === 'open'
  return (
    <section className={styles.strip} aria-labelledby="import">
      <div className={styles.top}>
        <h2 id="import">Import your results</h2>
        {mayWrite ? (
          <>
            <FileButton />
            <span className="soft">or drop them anywhere on this page</span>
          </>
        ) : (
          <NoWriting />
        )}
        <button
          type="button"
          className="plain"
          aria-expanded={isOpen}
          onClick={() => setPreference(PLACE, isOpen ? 'closed' : 'open')}
        >
          {mayWrite ? 'Options and commands' : 'Commands'}{' '}
          <span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>
        </button>
      </div>
      <UploadList />
      {isOpen && (
        <>
          {mayWrite && <ImportOptions />}
          <ImportLines />
        </>
      )}
    </section>
  )
}

/** Nothing before the key is known. */
export function NoWriting() {
  const { data: key } = useKey()
  if (!key) return null
  return (
    <span className="soft">
      This key may only read: to import, use one with the scope <code>write</code>.
    </span>
  )
}
