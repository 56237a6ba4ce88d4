// The frame of every page: navigation, key and theme. Shows the sign-in view without a valid key.
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useKey, useSignOutOnExpiry, useStoreProjectKey } from '../api/key.ts'
import { lazyComponent } from '../api/lazy-modules.ts'
import { useIsPageReadable, useRestriction } from '../api/restriction.ts'
import { isKeyStored, signOut, useSessionKey } from '../api/session.ts'
import { formatDateTime } from '../format/times.ts'
import { useShortcuts } from '../state/shortcuts.ts'
import { switchTheme } from '../state/theme.ts'
import { copyText } from '../ui/copy-button.tsx'
import { Menu } from '../ui/menu.tsx'
import { Toasts } from '../ui/toasts.tsx'
import styles from './shell.module.css'
import { SignIn } from './sign-in.tsx'
import { UnreachableBanner } from './unreachable-banner.tsx'

const RestrictedPage = lazyComponent(
  () => import('../share/restricted-page.tsx'),
  (module) => module.RestrictedPage,
)
const ShortcutHelp = lazyComponent(
  () => import('./shortcut-help.tsx'),
  (module) => module.ShortcutHelp,
)

export function Shell() {
  const key = useSessionKey()
  const keyQuery = useKey()
  useSignOutOnExpiry()
  useStoreProjectKey()
  if (key === undefined) return <SignIn />
  // Only the first load can reject a key here. A key that expires later signs out by itself.
  if (keyQuery.isLoadingError) return <SignIn problem={keyQuery.error.message} />
  // Remount with another key, so that no state remains.
  return <SignedIn key={key} />
}

function SignedIn() {
  const { data: key } = useKey()
  const isRestricted = useRestriction() !== null
  const isKnown = key !== undefined || isKeyStored()
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
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <header className={styles.header}>
        {isRestricted ? <SharedHeader until={key?.expires_at} /> : isKnown && <Navigation />}
        <div className={styles.tools}>
          <button
            type="button"
            className="plain"
            onClick={openHelp}
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
          >
            ?
          </button>
          <button
            type="button"
            className="plain"
            onClick={switchTheme}
            aria-label="Switch theme"
            title="Switch theme (T)"
          >
            ◐
          </button>
          <Menu label="Key" title={key ? `Key of project ${key.project}` : 'Key'}>
            {key && (
              <p className={styles.key}>
                Project <strong>{key.project}</strong>
                <br />
                {key.name ?? 'Key'} …{key.last_four}: {key.scopes.join(', ')}
                {key.expires_at && (
                  <>
                    <br />
                    expires {formatDateTime(key.expires_at)}
                  </>
                )}
              </p>
            )}
            <button type="button" onClick={() => signOut('You are signed out.')}>
              Sign out
            </button>
          </Menu>
        </div>
      </header>
      <UnreachableBanner />
      <div id="content">{isKnown && <PageOrRestriction />}</div>
      {isHelpOpen && (
        <Suspense>
          <ShortcutHelp onClose={() => setIsHelpOpen(false)} />
        </Suspense>
      )}
      <Toasts />
    </>
  )
}

function Navigation() {
  // All other pages belong to evaluations.
  const isVariantPage = useLocation().pathname.startsWith('/variants')
  return (
    <nav aria-label="Pages">
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
      <a href="/docs">API</a>
    </nav>
  )
}

/** Replaces the navigation for share links. */
function SharedHeader({ until }: { until: string | null | undefined }) {
  return (
    <p className={styles.shared}>
      <strong>
        <Brand />
      </strong>
      <span className="muted">shared with you{until && ` until ${formatDateTime(until)}`}</span>
    </p>
  )
}

function Brand() {
  return (
    <>
      <span aria-hidden="true" className={styles.logo}>
        ◆
      </span>{' '}
      Assay
    </>
  )
}

/** Shows the restriction instead of requesting data that the key cannot read. */
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
