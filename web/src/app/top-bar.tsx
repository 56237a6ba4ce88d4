// The top bar: navigation, search, help, theme and key.
import { Link, useLocation } from '@tanstack/react-router'
import { CircleHelp, Contrast, KeyRound, LogOut, Search } from 'lucide'
import { useKey } from '../api/key.ts'
import { useRestriction } from '../api/restriction.ts'
import { isKeyStored, signOut } from '../api/session.ts'
import { formatDateTime } from '../format/times.ts'
import { BASE_PATH } from '../state/base-path.ts'
import { PALETTE_KEY } from '../state/shortcuts.ts'
import { switchTheme } from '../state/theme.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Keys } from '../ui/keys.tsx'
import { Menu, MenuItem } from '../ui/menus/menu.tsx'
import styles from './top-bar.module.css'

interface TopBarProps {
  onSearch: () => void
  onHelp: () => void
}

export function TopBar({ onSearch, onHelp }: TopBarProps) {
  const { data: keyInfo } = useKey()
  const isRestricted = useRestriction() !== null
  // A stored key is always a project key. Other keys can be restricted.
  const isKeyTypeKnown = keyInfo !== undefined || isKeyStored()
  return (
    <header className={styles.header}>
      {isRestricted ? <ShareLinkHeader expiresAt={keyInfo?.expires_at} /> : isKeyTypeKnown && <Navigation />}
      <div className={styles.tools}>
        <button
          type="button"
          className={styles.search}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={onSearch}
        >
          <Icon icon={Search} />
          <span>Search or jump to</span>
          <Keys keys={[PALETTE_KEY]} />
        </button>
        <IconButton
          icon={CircleHelp}
          size="small"
          label="Keyboard shortcuts"
          shortcut="?"
          className={styles.help}
          onClick={onHelp}
        />
        <IconButton icon={Contrast} size="small" label="Switch theme" shortcut="T" onClick={switchTheme} />
        <KeyMenu />
      </div>
    </header>
  )
}

function KeyMenu() {
  const { data: keyInfo } = useKey()
  return (
    <Menu
      label="Key"
      icon={KeyRound}
      isIconOnly
      variant="plain"
      size="small"
      align="end"
      title={keyInfo ? `Key of project ${keyInfo.project}` : 'Key'}
    >
      {keyInfo && (
        <p className={styles.key}>
          Project <strong>{keyInfo.project}</strong>
          <br />
          {keyInfo.name ?? 'Key'} …{keyInfo.last_four}: {keyInfo.scopes.join(', ')}
          {keyInfo.expires_at && (
            <>
              <br />
              expires {formatDateTime(keyInfo.expires_at)}
            </>
          )}
        </p>
      )}
      <MenuItem icon={LogOut} onClick={() => signOut('You are signed out.')}>
        Sign out
      </MenuItem>
    </Menu>
  )
}

function Navigation() {
  // On all other pages, the current link is Evaluations.
  const isVariantPage = useLocation().pathname.startsWith('/variants')
  return (
    <nav aria-label="Main">
      <Link to="/" className={styles.brand} activeOptions={{ exact: true, includeSearch: false }}>
        <Brand />
      </Link>
      <Link
        to="/"
        activeOptions={{ exact: true, includeSearch: false }}
        aria-current={isVariantPage ? undefined : 'page'}
      >
        Evaluations
      </Link>
      <Link to="/variants">Variants</Link>
      <a href={`${BASE_PATH}/docs`}>API</a>
    </nav>
  )
}

/** Shown instead of the navigation if the key belongs to a share link. */
function ShareLinkHeader({ expiresAt }: { expiresAt: string | null | undefined }) {
  return (
    <p className={styles.shareLink}>
      <strong className={styles.brand}>
        <Brand />
      </strong>
      <span className="muted">shared with you{expiresAt && ` until ${formatDateTime(expiresAt)}`}</span>
    </p>
  )
}

function Brand() {
  return (
    <>
      <Logo /> Assay
    </>
  )
}

/** The logo: a diamond with a check mark. */
export function Logo() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" width="16" height="16" className="icon">
      <path d="M8 .8 15.2 8 8 15.2.8 8Z" fill="var(--accent-fill)" />
      <path d="m5.2 8 2 2 3.6-3.8" fill="none" stroke="#fff" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  )
}
