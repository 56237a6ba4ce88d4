// Starts the page.
import './style/tokens.css'
import './style/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/client.ts'
import { preloadLazyModules } from './api/lazy-modules.ts'
import { onKeyChange, takeKeyFromUrl } from './api/session.ts'
import { router } from './router.tsx'
import { listenForShortcuts } from './state/shortcuts.ts'
import { applyStoredTheme } from './state/theme.ts'
import { trackPointer } from './ui/focus.ts'

applyStoredTheme()
// Data of one key must not reach the next. Clear it before a page renders with the new key, so that no page waits for a
// discarded response.
onKeyChange(() => queryClient.clear())
takeKeyFromUrl()
// A link with another key can be opened in a tab that already shows the page.
window.addEventListener('hashchange', takeKeyFromUrl)
listenForShortcuts()
trackPointer()
preloadLazyModules()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root element')
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
