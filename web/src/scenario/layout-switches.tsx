// How texts are shown and laid out: as what, wrapped or not, side by side or one below the other; with the keys of each.
import type { LayoutPreferences } from '../content/layout-preferences.ts'
import { SHAPES, type Shape, useChangePreference } from '../evaluation/view.ts'
import { useShortcuts } from '../shortcuts.ts'
import styles from './scenario.module.css'

const SHAPE_NAMES: Record<Shape, [name: string, title: string]> = {
  text: ['text', 'Exactly as it was written (t)'],
  markdown: ['md', 'As Markdown (m)'],
  json: ['json', 'As JSON (r)'],
}

interface LayoutSwitchesProps {
  /** What there is to choose from. */
  shapes: readonly Shape[]
  shape: Shape
  layout: LayoutPreferences
  hasSplit: boolean
}

export function LayoutSwitches({ shapes, shape, layout, hasSplit }: LayoutSwitchesProps) {
  const prefer = useChangePreference()
  useShortcuts('panel', {
    ...Object.fromEntries(SHAPES.map((name, index) => ['tmr'.charAt(index), () => prefer('as', name)])),
    w: layout.switchWrap,
    s: layout.switchSplit,
  })
  // What cannot be shown as it is liked is shown as text.
  const shown = shapes.includes(shape) ? shape : 'text'
  return (
    <div className={styles.switches}>
      {shapes.length > 0 && (
        <div role="group" aria-label="Show texts as" className={styles.joined}>
          {shapes.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === shown}
              title={SHAPE_NAMES[name][1]}
              onClick={() => prefer('as', name)}
            >
              {SHAPE_NAMES[name][0]}
            </button>
          ))}
        </div>
      )}
      <LineSwitches layout={layout} hasSplit={hasSplit} />
    </div>
  )
}

export function LineSwitches({ layout, hasSplit }: Pick<LayoutSwitchesProps, 'layout' | 'hasSplit'>) {
  const { isWrapped, isSplit, switchWrap, switchSplit } = layout
  return (
    <>
      <button type="button" aria-pressed={isWrapped} title="Wrap long lines (w)" onClick={switchWrap}>
        wrap
      </button>
      {hasSplit && (
        <button
          type="button"
          aria-pressed={isSplit}
          title="Side by side, or one below the other (s)"
          onClick={switchSplit}
        >
          split
        </button>
      )}
    </>
  )
}
