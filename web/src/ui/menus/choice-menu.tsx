// A menu that selects one of several options. Its button shows the selected one.
import { Fragment, type ReactNode } from 'react'
import type { IconType } from '../icon.tsx'
import styles from './menu.module.css'
import { Menu, MenuHeading, MenuItem, MenuItems } from './menu.tsx'

export interface ChoiceOption {
  value: string
  name: ReactNode
  detail?: ReactNode
  /** The heading above this option and the next ones. */
  heading?: string | undefined
}

interface ChoiceMenuProps {
  /** What is selected: "Evaluator". */
  title: string
  value: string | undefined
  options: readonly ChoiceOption[]
  onSelect: (value: string) => void
  icon?: IconType | undefined
  variant?: 'plain' | undefined
  className?: string | undefined
  /** In a form, with a visible label and as wide as the other fields. */
  isField?: boolean
}

export function ChoiceMenu(props: ChoiceMenuProps) {
  const { title, value, options, onSelect, icon, variant, className, isField = false } = props
  const selected = options.find((option) => option.value === value)
  return (
    <Menu
      label={
        <>
          <span className="sr-only">{title}: </span>
          <span className="ellipsis">{selected?.name ?? title}</span>
        </>
      }
      title={isField ? undefined : title}
      icon={icon}
      variant={variant}
      size="small"
      className={[isField && styles.field, className].filter(Boolean).join(' ')}
    >
      <MenuItems>
        {options.map((option) => (
          <Fragment key={option.value}>
            {option.heading && <MenuHeading>{option.heading}</MenuHeading>}
            <MenuItem
              isChosen={option.value === value}
              detail={option.detail}
              onClick={() => onSelect(option.value)}
            >
              {option.name}
            </MenuItem>
          </Fragment>
        ))}
      </MenuItems>
    </Menu>
  )
}
