// Code that imports a file. It contains the URL of this service, but never a key.
import { useState } from 'react'
import { SERVICE_URL } from '../../../state/base-path.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import styles from './import.module.css'
import { IMPORT_EXAMPLES, type ImportLanguage, importCode } from './import-code.ts'

export function CodeExamples() {
  const [language, setLanguage] = useState<ImportLanguage>('python')
  const code = importCode(language, SERVICE_URL)
  const { label } = IMPORT_EXAMPLES.find(({ value }) => value === language) ?? IMPORT_EXAMPLES[0]
  return (
    <div className={styles.code}>
      <div>
        <Segments label="Language" options={IMPORT_EXAMPLES} value={language} onChange={setLanguage} />
        <CopyButton text={code}>
          Copy<span className="sr-only"> ({label})</span>
        </CopyButton>
      </div>
      <pre>{code}</pre>
      <p className="quiet">
        {language === 'python' && (
          <>
            Install the client from a checkout of Assay: <code>pip install ./python</code>.{' '}
          </>
        )}
        Set <code>ASSAY_KEY</code> to a key with the write scope:{' '}
        <code>assay keys create --scope read,write</code>
      </p>
    </div>
  )
}
