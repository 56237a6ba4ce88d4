// Both revisions exactly as they were written, for whoever wants to read or take them along.
import { CopyButton } from '../parts/copy-button.tsx'
import { LongText } from '../parts/long-text.tsx'
import { RawText } from '../revision/raw-text.tsx'
import shared from '../revision/revision.module.css'
import styles from './page.module.css'
import type { ShownDiff } from './shown.ts'

export function Raw({ shown: { id, old, now } }: { shown: ShownDiff }) {
  const numbers = [old.number, now.number]
  return (
    <section className={shared.section} aria-label="Both revisions as they were written">
      <RawText id={id} numbers={numbers}>
        {(texts) => (
          <>
            <CopyButton text={`[${texts.join(',\n')}]\n`} said="Copied, as a list of two.">
              Copy both
            </CopyButton>
            <div className={styles.both}>
              {texts.map((text, side) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the two are told apart by their side alone
                <div key={side}>
                  <h3>r{numbers[side]}</h3>
                  <pre className={shared.raw}>
                    <LongText text={text} shown={20_000} />
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
