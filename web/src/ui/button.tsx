// Buttons. A page has one primary button. Other actions are secondary or plain, and the rare ones are in a menu.
import type { ComponentProps } from 'react'
import styles from './button.module.css'
import { Icon, type IconType } from './icon.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'plain'

interface ButtonLook {
  variant?: ButtonVariant | undefined
  /** 28 instead of 32 pixels, for toolbars. */
  size?: 'small' | undefined
  /** The key that does the same, shown in the tooltip. */
  shortcut?: string | undefined
}

export interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  icon?: IconType | undefined
  /** What the button does, if its text is not enough. */
  tooltip?: string | undefined
}

/** The classes of a button, for links and menus that look like one. */
export function buttonClass({ variant = 'secondary', size }: ButtonLook, ...others: (string | undefined)[]) {
  // The global classes have the colors, also those of links.
  const classes = ['button', styles.button, variant !== 'secondary' && `${variant} ${styles[variant] ?? ''}`]
  return [...classes, size && styles[size], ...others].filter(Boolean).join(' ')
}

export function Button(props: ButtonProps) {
  const { variant, size, icon, tooltip, shortcut, className, children, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant, size }, className)}
      data-tooltip={tooltip}
      data-shortcut={shortcut}
      aria-keyshortcuts={shortcut}
    >
      {icon && <Icon icon={icon} />}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'>, ButtonLook {
  icon: IconType
  /** The accessible name, also shown in the tooltip. */
  label: string
}

export function IconButton({ icon, label, variant = 'plain', size, className, ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      variant={variant}
      size={size}
      tooltip={label}
      aria-label={label}
      className={[styles.iconOnly, className].filter(Boolean).join(' ')}
    >
      <Icon icon={icon} />
    </Button>
  )
}
