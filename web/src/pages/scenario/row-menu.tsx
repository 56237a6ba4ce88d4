// The items in the menu of a row that change how it is displayed.
import { Braces, Columns2, WrapText } from 'lucide'
import { FORMAT_LABELS, useLayoutPreferences } from '../../content/text-layout.tsx'
import { TEXT_FORMATS, type TextFormat, useChangePreference } from '../../state/row-params.ts'
import { useHasTwoColumns } from '../../ui/media.ts'
import { MenuItem, MenuSeparator } from '../../ui/menus/menu.tsx'

interface RowMenuItemsProps {
  textFormat: TextFormat
  isJson: boolean
  onToggleJson: () => void
}

export function RowMenuItems({ textFormat, isJson, onToggleJson }: RowMenuItemsProps) {
  const layout = useLayoutPreferences()
  const setPreferred = useChangePreference()
  const hasTwoColumns = useHasTwoColumns()
  return (
    <>
      <MenuItem icon={Braces} shortcut="v" isChosen={isJson} onClick={onToggleJson}>
        JSON of this row
      </MenuItem>
      <MenuSeparator />
      {TEXT_FORMATS.map((name) => {
        const [, , label, key] = FORMAT_LABELS[name]
        return (
          <MenuItem
            key={name}
            shortcut={key}
            isChosen={name === textFormat}
            onClick={() => setPreferred('as', name)}
          >
            {label}
          </MenuItem>
        )
      })}
      <MenuSeparator />
      <MenuItem icon={WrapText} shortcut="w" isChosen={layout.isWrapped} onClick={layout.toggleWrap}>
        Wrap long lines
      </MenuItem>
      {hasTwoColumns && (
        <MenuItem icon={Columns2} shortcut="s" isChosen={layout.isSplit} onClick={layout.toggleSplit}>
          Diff side by side
        </MenuItem>
      )}
    </>
  )
}
