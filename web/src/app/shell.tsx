// The frame of every page: top bar, banner, palette and help. Shows the sign-in view without a valid key.
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useKey, useSignOutOnExpiry, useStoreProjectKey } from '../api/key.ts'
import { useIsPageReadable, useRestriction } from '../api/restriction.ts'
import { isKeyStored, signOut, useSessionKey } from '../api/session.ts'
import { RestrictedPage } from '../share/restricted-page.tsx'
import { BASE_PATH } from '../state/base-path.ts'
import { PALETTE_KEY, useShortcuts } from '../state/shortcuts.ts'
import { switchTheme } from '../state/theme.ts'
import { copyText } from '../ui/copy-button.tsx'
import { lazyComponent } from '../ui/messages/lazy-component.tsx'
import { Toasts } from '../ui/messages/toasts.tsx'
import { Tooltips } from '../ui/tooltip.tsx'
import { Palette } from './palette/palette.tsx'
import styles from './shell.module.css'
import { TopBar } from './top-bar.tsx'
import { UnreachableBanner } from './unreachable-banner.tsx'

const SignIn = lazyComponent(async () => (await import('./sign-in.tsx')).SignIn)
const ShortcutHelp = lazyComponent(async () => (await import('./shortcut-help.tsx')).ShortcutHelp)

export function Shell() {
  const key = useSessionKey()
  const keyQuery = useKey()
  useSignOutOnExpiry()
  useStoreProjectKey()
  // True only if the first request failed. If the key expires later, useSignOutOnExpiry signs the user out.
  if (key === undefined || keyQuery.isLoadingError) {
    return (
      <Suspense>
        <SignIn problem={keyQuery.error?.message} />
      </Suspense>
    )
  }
  // With another key, React mounts a new component, so that no state of the previous key remains.
  return <SignedIn key={key} />
}

function SignedIn() {
  const { data: keyInfo } = useKey()
  const isRestricted = useRestriction() !== null
  // A stored key is always a project key. Other keys can be restricted.
  const isKeyTypeKnown = keyInfo !== undefined || isKeyStored()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'palette' | 'help'>()
  const openPalette = () => setDialog('palette')
  const openHelp = () => setDialog('help')
  // A key that is pressed before the close event can have opened the other dialog already.
  const closeDialog = () => setDialog((current) => (current === dialog ? undefined : current))
  useShortcuts(
    'shell',
    {
      [PALETTE_KEY]: { label: 'Search or jump to', run: openPalette },
      '?': { label: 'Keyboard shortcuts', run: openHelp },
      T: { label: 'Switch theme', run: switchTheme },
      y: { label: 'Copy link', run: () => void copyText(location.href, 'Link copied.') },
      ...(!isRestricted && {
        'g e': { label: 'Go to evaluations', run: () => navigate({ to: '/' }) },
        'g v': { label: 'Go to variants', run: () => navigate({ to: '/variants' }) },
      }),
    },
    {
      'API reference': () => location.assign(`${BASE_PATH}/docs`),
      'Sign out': () => signOut('You are signed out.'),
    },
  )
  return (
    <>
      <a href="#content" className={styles.skipLink}>
        Skip to content
      </a>
      <TopBar onSearch={openPalette} onHelp={openHelp} />
      <UnreachableBanner />
      <div id="content">{isKeyTypeKnown && <PageOrRestriction />}</div>
      {dialog === 'palette' && <Palette onClose={closeDialog} />}
      <Suspense>{dialog === 'help' && <ShortcutHelp onClose={closeDialog} />}</Suspense>
      <Toasts />
      <Tooltips />
    </>
  )
}

/** The page, or an explanation if the key cannot read the data of the page. */
function PageOrRestriction() {
  const isReadable = useIsPageReadable()
  return isReadable ? <Outlet /> : <RestrictedPage />
}
