// Controls for text display: format, line wrapping and split diffs, with their shortcuts.
import { Columns2, WrapText } from 'lucide'
import { setPreference, usePreference } from '../state/preferences.ts'
import { TEXT_FORMATS, type TextFormat, useChangePreference } from '../state/row-params.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { IconButton } from '../ui/button.tsx'
import { useHasTwoColumns } from '../ui/media.ts'
import { Segments } from '../ui/tabs.tsx'
import styles from './text-layout.module.css'

export const FORMAT_LABELS: Record<TextFormat, [name: string, title: string, action: string, key: string]> = {
  text: ['Text', 'Plain text (t)', 'Show plain text', 't'],
  markdown: ['MD', 'As Markdown (m)', 'Show as Markdown', 'm'],
  json: ['JSON', 'As JSON (r)', 'Show as JSON', 'r'],
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
  useLayoutShortcuts(layout)
  // Falls back to text if the preferred format is not available.
  const activeFormat = formats.includes(textFormat) ? textFormat : 'text'
  return (
    <div className={styles.switches}>
      {formats.length > 0 && (
        <Segments
          label="Text format"
          value={activeFormat}
          options={formats.map((value) => ({
            value,
            label: FORMAT_LABELS[value][0],
            title: FORMAT_LABELS[value][1],
          }))}
          onChange={(format) => setPreferred('as', format)}
        />
      )}
      <LineSwitches layout={layout} hasSplit={hasSplit} />
    </div>
  )
}

export function useLayoutShortcuts(layout: LayoutPreferences): void {
  const setPreferred = useChangePreference()
  useShortcuts('panel', {
    ...Object.fromEntries(
      TEXT_FORMATS.map((name) => {
        const [, , label, key] = FORMAT_LABELS[name]
        return [key, { label, run: () => setPreferred('as', name) }]
      }),
    ),
    w: { label: 'Wrap long lines', run: layout.toggleWrap },
    ...(useHasTwoColumns() && {
      s: { label: 'Show the diff side by side or unified', run: layout.toggleSplit },
    }),
  })
}

export function LineSwitches({ layout, hasSplit }: Pick<LayoutSwitchesProps, 'layout' | 'hasSplit'>) {
  const { isWrapped, isSplit, toggleWrap, toggleSplit } = layout
  const hasTwoColumns = useHasTwoColumns()
  return (
    <>
      <IconButton
        icon={WrapText}
        size="small"
        label="Wrap long lines"
        shortcut="w"
        aria-pressed={isWrapped}
        onClick={toggleWrap}
      />
      {hasSplit && hasTwoColumns && (
        <IconButton
          icon={Columns2}
          size="small"
          label="Side by side"
          shortcut="s"
          aria-pressed={isSplit}
          onClick={toggleSplit}
        />
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
