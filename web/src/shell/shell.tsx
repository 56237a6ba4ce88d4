// What stands around every page: the way to the others, the key, the theme; or the sign-in view in place of them all.
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { dateAndTime } from '../format/times.ts'
import { copyText } from '../parts/copy-button.tsx'
import { Menu } from '../parts/menu.tsx'
import { loadDetailPages } from '../read-ahead.ts'
import { isKept, signOut, useSessionKey } from '../session.ts'
import { useShortcuts } from '../shortcuts.ts'
import { switchTheme } from '../theme.ts'
import { Banner } from './banner.tsx'
import { useConfinement, useIsOpen } from './confinement.ts'
import { useExpiry, useKeeping, useKey } from './key.ts'
import styles from './shell.module.css'
import { SignIn } from './sign-in.tsx'
import { Toasts } from './toasts.tsx'

const Elsewhere = lazy(async () => ({ default: (await loadDetailPages()).Elsewhere }))
const KeyMap = lazy(async () => ({ default: (await loadDetailPages()).KeyMap }))

export function Shell() {
  const key = useSessionKey()
  const held = useKey()
  useExpiry()
  useKeeping()
  if (key === undefined) return <SignIn />
  // A key that was good stays, whatever its next look-up says: one that has ended signs itself out.
  if (held.isLoadingError) return <SignIn problem={held.error.message} />
  // Another key, another page: nothing of the one before stays on it.
  return <SignedIn key={key} />
}

function SignedIn() {
  const { data: key } = useKey()
  const isConfined = useConfinement() !== null
  const isKnown = key !== undefined || isKept()
  const navigate = useNavigate()
  const [isMapShown, setIsMapShown] = useState(false)
  const showKeyMap = () => setIsMapShown(true)
  useShortcuts('shell', {
    '?': showKeyMap,
    T: switchTheme,
    y: () => void copyText(location.href, 'Link copied.'),
    ...(!isConfined && {
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
        {isConfined ? <SharedWith until={key?.expires_at} /> : isKnown && <Pages />}
        <div className={styles.tools}>
          <button
            type="button"
            className="plain"
            onClick={showKeyMap}
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
          >
            ?
          </button>
          <button
            type="button"
            className="plain"
            onClick={switchTheme}
            aria-label="Switch between light and dark"
            title="Light or dark (T)"
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
                    ends {dateAndTime(key.expires_at)}
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
      <Banner />
      <div id="content">{isKnown && <Page />}</div>
      {isMapShown && (
        <Suspense>
          <KeyMap onClose={() => setIsMapShown(false)} />
        </Suspense>
      )}
      <Toasts />
    </>
  )
}

function Pages() {
  // Everything else is about evaluations.
  const isOfVariants = useLocation().pathname.startsWith('/variants')
  return (
    <nav aria-label="Pages">
      <Link to="/" className={styles.brand} activeOptions={{ exact: true, includeSearch: false }}>
        <Brand />
      </Link>
      <Link
        to="/"
        activeOptions={{ exact: true, includeSearch: false }}
        aria-current={isOfVariants ? undefined : 'page'}
      >
        Evaluations
      </Link>
      <Link to="/variants">Variants</Link>
      <a href="/docs">API</a>
    </nav>
  )
}

/** What stands there for whoever opened a link to one view: there are no other pages for them. */
function SharedWith({ until }: { until: string | null | undefined }) {
  return (
    <p className={styles.shared}>
      <strong>
        <Brand />
      </strong>
      <span className="soft">shared with you{until && ` until ${dateAndTime(until)}`}</span>
    </p>
  )
}

function Brand() {
  return (
    <>
      <span aria-hidden="true" className={styles.mark}>
        ◆
      </span>{' '}
      Assay
    </>
  )
}

/** Nothing is asked about what the key does not read: the page is in place of one that would be refused. */
function Page() {
  const isOpen = useIsOpen()
  return isOpen ? (
    <Outlet />
  ) : (
    <Suspense>
      <Elsewhere />
    </Suspense>
  )
}
