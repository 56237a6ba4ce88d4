// One scenario: where it stands, how it did, and what is in it, tab by tab.
import { type ReactNode, useState } from 'react'
import { isUnreachable } from '../api.ts'
import { useChangeSearch } from '../change-search.ts'
import { useLayoutPreferences } from '../content/layout-preferences.ts'
import { takeOver } from '../evaluation/handed-over.ts'
import type { Shown } from '../evaluation/shown.ts'
import { TABS } from '../evaluation/view.ts'
import { Waiting } from '../parts/waiting.tsx'
import { useShortcuts } from '../shortcuts.ts'
import { DiffTab } from './diff-tab.tsx'
import type { Frame } from './frame.ts'
import { Head } from './head.tsx'
import { Note } from './note.tsx'
import { type Opened, useOpened } from './opened.ts'
import { OutputTab } from './output-tab.tsx'
import { RawTab } from './raw-tab.tsx'
import { Refusal } from './refusal.tsx'
import { Results } from './results.tsx'
import styles from './scenario.module.css'
import { StateLine } from './state-line.tsx'
import { TabLine } from './tab-line.tsx'
import { Values, ValuesLine } from './values.tsx'

export function Scenario({ shown, id, frame }: { shown: Shown; id: string; frame: Frame }) {
  const { opened, moves, error } = useOpened(shown, id, frame.open)
  // The scenario whose note is being written.
  const [edited, setEdited] = useState(() => takeOver('note'))
  const head = (
    <Head
      shown={shown}
      id={id}
      opened={opened}
      moves={moves}
      frame={frame}
      isNoting={edited === id}
      onNote={() => setEdited(id)}
    />
  )
  if (!opened) {
    return (
      <div className={styles.scenario}>
        {head}
        {error && !isUnreachable(error) ? <Refusal error={error} /> : <Waiting />}
      </div>
    )
  }
  return (
    <div className={styles.scenario} aria-busy={opened.isOld}>
      {head}
      <StateLine shown={shown} opened={opened} />
      <Tabs shown={shown} opened={opened}>
        <Note
          key={opened.scenario.id}
          evaluationId={shown.id}
          scenario={opened.scenario}
          isEditing={edited === opened.scenario.id}
          onEdit={(isEditing) => setEdited(isEditing ? opened.scenario.id : undefined)}
        />
      </Tabs>
    </div>
  )
}

function Tabs({ shown, opened, children }: { shown: Shown; opened: Opened; children: ReactNode }) {
  const change = useChangeSearch()
  const layout = useLayoutPreferences()
  const [against, setAgainst] = useState<string>()
  const { tab } = opened
  const { inputs } = opened.scenario
  const { shape } = shown.view
  const choose = (next: string) => change({ tab: next }, { replace: true })
  useShortcuts(
    'panel',
    Object.fromEntries(TABS.map((name, index) => [String(index + 1), () => choose(name)])),
  )
  const reading = { shape, isWrapped: layout.isWrapped }
  function compareWithBaseline() {
    setAgainst('baseline')
    choose('diff')
  }
  const isReading = tab === 'diff' || tab === 'output'
  return (
    <>
      <TabLine tab={tab} shape={shape} layout={layout} onTab={choose} />
      <div
        key={opened.scenario.id}
        id="scenario-tab"
        role="tabpanel"
        aria-labelledby={`scenario-tab-${tab}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is long scrolls, from the keyboard too
        tabIndex={0}
        className={opened.isOld ? styles.old : styles.body}
      >
        {isReading && (
          <ValuesLine label="Inputs" values={inputs} hint=" (3)" onWhole={() => choose('inputs')} />
        )}
        {tab === 'diff' && (
          <DiffTab shown={shown} opened={opened} against={against} onAgainst={setAgainst} layout={layout} />
        )}
        {tab === 'output' && <OutputTab opened={opened} {...reading} />}
        {tab === 'inputs' && inputs.length === 0 && (
          <p className={styles.remark}>This scenario has no inputs.</p>
        )}
        {tab === 'inputs' && <Values values={inputs} {...reading} />}
        {tab === 'results' && (
          <Results isWhole shown={shown} opened={opened} onBaseline={compareWithBaseline} />
        )}
        {tab === 'raw' && <RawTab text={opened.text} isWrapped={layout.isWrapped} />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long results scroll, from the keyboard too */}
      <section className={styles.foot} aria-label="Results and note" tabIndex={0}>
        {isReading && <Results shown={shown} opened={opened} onBaseline={compareWithBaseline} />}
        {children}
      </section>
    </>
  )
}
