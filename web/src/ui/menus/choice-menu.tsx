// A menu that selects one of several options. Its button shows the selected one.
import type { ReactNode } from 'react'
import type { IconType } from '../icon.tsx'
import { Menu, MenuItem, MenuItems } from './menu.tsx'

interface ChoiceMenuProps {
  /** What is selected: "Evaluator". */
  title: string
  value: string | undefined
  options: readonly { value: string; name: ReactNode; detail?: ReactNode }[]
  onSelect: (value: string) => void
  icon?: IconType | undefined
  variant?: 'plain' | undefined
  className?: string | undefined
}

export function ChoiceMenu({ title, value, options, onSelect, icon, variant, className }: ChoiceMenuProps) {
  const selected = options.find((option) => option.value === value)
  return (
    <Menu
      label={
        <>
          <span className="sr-only">{title}: </span>
          <span className="ellipsis">{selected?.name ?? title}</span>
        </>
      }
      title={title}
      icon={icon}
      variant={variant}
      size="small"
      className={className}
    >
      <MenuItems>
        {options.map((option) => (
          <MenuItem
            key={option.value}
            isChosen={option.value === value}
            detail={option.detail}
            onClick={() => onSelect(option.value)}
          >
            {option.name}
          </MenuItem>
        ))}
      </MenuItems>
    </Menu>
  )
}
