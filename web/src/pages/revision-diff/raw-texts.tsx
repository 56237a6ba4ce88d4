// Raw JSON of both revisions, with a copy button.

import { RawText } from '../../revisions/raw-text.tsx'
import shared from '../../revisions/revisions.module.css'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LongText } from '../../ui/truncation.tsx'
import styles from './page.module.css'
import type { RevisionDiffState } from './page-state.ts'

export function RawTexts({ state: { id, from, to } }: { state: RevisionDiffState }) {
  const numbers = [from.number, to.number]
  return (
    <section className={shared.section} aria-label="Raw JSON of both revisions">
      <RawText id={id} numbers={numbers}>
        {(texts) => (
          <>
            <CopyButton text={`[${texts.join(',\n')}]\n`} message="Copied as a JSON array.">
              Copy both
            </CopyButton>
            <div className={styles.both}>
              {texts.map((text, side) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: both texts can be equal
                <div key={side}>
                  <h3>r{numbers[side]}</h3>
                  <pre className={shared.raw}>
                    <LongText text={text} maxLength={20_000} />
                  </pre>
                </div>
              ))}
            </div>
          </>
        )}
      </RawText>
    </section>
  )
}
