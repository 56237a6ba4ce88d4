// Controls for text display: format, line wrapping and split diffs, with their shortcuts.

import { setPreference, usePreference } from '../state/preferences.ts'
import { TEXT_FORMATS, type TextFormat, useChangePreference } from '../state/row-params.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import styles from './text-layout.module.css'

const FORMAT_LABELS: Record<TextFormat, [name: string, title: string]> = {
  text: ['text', 'Plain text (t)'],
  markdown: ['md', 'As Markdown (m)'],
  json: ['json', 'As JSON (r)'],
}

interface LayoutSwitchesProps {
  /** The available formats. */
  formats: readonly TextFormat[]
  textFormat: TextFormat
  layout: LayoutPreferences
  hasSplit: boolean
}

export function LayoutSwitches({ formats, textFormat, layout, hasSplit }: LayoutSwitchesProps) {
  const setPreferred = useChangePreference()
  useShortcuts('panel', {
    ...Object.fromEntries(
      TEXT_FORMATS.map((name, index) => ['tmr'.charAt(index), () => setPreferred('as', name)]),
    ),
    w: layout.toggleWrap,
    s: layout.toggleSplit,
  })
  // Falls back to text if the preferred format is not available.
  const activeFormat = formats.includes(textFormat) ? textFormat : 'text'
  return (
    <div className={styles.switches}>
      {formats.length > 0 && (
        <div role="group" aria-label="Text format" className="button-group">
          {formats.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === activeFormat}
              title={FORMAT_LABELS[name][1]}
              onClick={() => setPreferred('as', name)}
            >
              {FORMAT_LABELS[name][0]}
            </button>
          ))}
        </div>
      )}
      <LineSwitches layout={layout} hasSplit={hasSplit} />
    </div>
  )
}

export function LineSwitches({ layout, hasSplit }: Pick<LayoutSwitchesProps, 'layout' | 'hasSplit'>) {
  const { isWrapped, isSplit, toggleWrap, toggleSplit } = layout
  return (
    <>
      <button type="button" aria-pressed={isWrapped} title="Wrap long lines (w)" onClick={toggleWrap}>
        wrap
      </button>
      {hasSplit && (
        <button type="button" aria-pressed={isSplit} title="Split or unified (s)" onClick={toggleSplit}>
          split
        </button>
      )}
    </>
  )
}

export interface LayoutPreferences {
  isWrapped: boolean
  isSplit: boolean
  toggleWrap(): void
  toggleSplit(): void
}

export function useLayoutPreferences(): LayoutPreferences {
  const isWrapped = usePreference('wrap') !== 'off'
  const isSplit = usePreference('diff') !== 'unified'
  return {
    isWrapped,
    isSplit,
    toggleWrap: () => setPreference('wrap', isWrapped ? 'off' : undefined),
    toggleSplit: () => setPreference('diff', isSplit ? 'unified' : undefined),
  }
}
