// Starts the page.
import './style/tokens.css'
import './style/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api.ts'
import { readAhead } from './read-ahead.ts'
import { router } from './router.tsx'
import { takeKeyFromAddress } from './session.ts'
import { listenForShortcuts } from './shortcuts.ts'

takeKeyFromAddress()
// A link with another key may be opened in a tab that is here already.
window.addEventListener('hashchange', takeKeyFromAddress)
listenForShortcuts()
readAhead()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element for the page')
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
