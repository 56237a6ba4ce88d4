// Both revisions exactly as they were written, for whoever wants to read or take them along.
import { CopyButton } from '../parts/copy-button.tsx'
import { LongText } from '../parts/long-text.tsx'
import shared from '../revision/revision.module.css'
import styles from './page.module.css'
import type { ShownDiff } from './shown.ts'

export function Raw({ shown: { old, now } }: { shown: ShownDiff }) {
  const { text: before = '' } = old
  const { text: after = '' } = now
  return (
    <section className={shared.section} aria-label="Both revisions as they were written">
      <details>
        <summary>Raw JSON</summary>
        <CopyButton text={`[${before},\n${after}]\n`} said="Copied, as a list of two.">
          Copy both
        </CopyButton>
        <div className={styles.both}>
          {[old, now].map(({ number, text = '' }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the two are told apart by their side alone
            <div key={index}>
              <h3>r{number}</h3>
              <pre className={shared.raw}>
                <LongText text={text} shown={20_000} />
              </pre>
            </div>
          ))}
        </div>
      </details>
    </section>
  )
}
