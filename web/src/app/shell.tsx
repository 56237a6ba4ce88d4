// The frame of every page: navigation, key and theme. Shows the sign-in view without a valid key.
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { CircleHelp, KeyRound, LogOut, SunMoon } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useKey, useSignOutOnExpiry, useStoreProjectKey } from '../api/key.ts'
import { lazyComponent } from '../api/lazy-modules.ts'
import { useIsPageReadable, useRestriction } from '../api/restriction.ts'
import { isKeyStored, signOut, useSessionKey } from '../api/session.ts'
import { formatDateTime } from '../format/times.ts'
import { BASE_PATH } from '../state/base-path.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { switchTheme } from '../state/theme.ts'
import { IconButton } from '../ui/button.tsx'
import { copyText } from '../ui/copy-button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Tooltips } from '../ui/tooltip.tsx'
import { Logo } from './logo.tsx'
import styles from './shell.module.css'
import { SignIn } from './sign-in.tsx'
import { UnreachableBanner } from './unreachable-banner.tsx'

const RestrictedPage = lazyComponent(
  async () => (await import('../share/restricted-page.tsx')).RestrictedPage,
)
const ShortcutHelp = lazyComponent(async () => (await import('./shortcut-help.tsx')).ShortcutHelp)

export function Shell() {
  const key = useSessionKey()
  const keyQuery = useKey()
  useSignOutOnExpiry()
  useStoreProjectKey()
  if (key === undefined) return <SignIn />
  // True only if the first request failed. If the key expires later, useSignOutOnExpiry signs the user out.
  if (keyQuery.isLoadingError) return <SignIn problem={keyQuery.error.message} />
  // With another key, React mounts a new component, so that no state of the previous key remains.
  return <SignedIn key={key} />
}

function SignedIn() {
  const { data: keyInfo } = useKey()
  const isRestricted = useRestriction() !== null
  // A stored key is always a project key. Other keys can be restricted.
  const isKeyTypeKnown = keyInfo !== undefined || isKeyStored()
  const navigate = useNavigate()
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const openHelp = () => setIsHelpOpen(true)
  useShortcuts('shell', {
    '?': openHelp,
    T: switchTheme,
    y: () => void copyText(location.href, 'Link copied.'),
    ...(!isRestricted && {
      'g e': () => navigate({ to: '/' }),
      'g v': () => navigate({ to: '/variants' }),
    }),
  })
  return (
    <>
      <a href="#content" className={styles.skipLink}>
        Skip to content
      </a>
      <header className={styles.header}>
        {isRestricted ? (
          <ShareLinkHeader expiresAt={keyInfo?.expires_at} />
        ) : (
          isKeyTypeKnown && <Navigation />
        )}
        <div className={styles.tools}>
          <IconButton
            icon={CircleHelp}
            size="small"
            label="Keyboard shortcuts"
            shortcut="?"
            onClick={openHelp}
          />
          <IconButton icon={SunMoon} size="small" label="Switch theme" shortcut="T" onClick={switchTheme} />
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
        </div>
      </header>
      <UnreachableBanner />
      <div id="content">{isKeyTypeKnown && <PageOrRestriction />}</div>
      {isHelpOpen && (
        <Suspense>
          <ShortcutHelp onClose={() => setIsHelpOpen(false)} />
        </Suspense>
      )}
      <Toasts />
      <Tooltips />
    </>
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
    <p className={styles.shareLinkHeader}>
      <strong>
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

/** The page, or an explanation if the key cannot read the data of the page. */
function PageOrRestriction() {
  const isReadable = useIsPageReadable()
  return isReadable ? (
    <Outlet />
  ) : (
    <Suspense>
      <RestrictedPage />
    </Suspense>
  )
}
