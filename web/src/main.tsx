// Starts the page.
import './style/tokens.css'
import './style/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api.ts'
import { forgetUploads } from './evaluations/uploads.ts'
import { readAhead } from './read-ahead.ts'
import { router } from './router.tsx'
import { onKeyChange, takeKeyFromAddress } from './session.ts'
import { listenForShortcuts } from './shortcuts.ts'

// What one key has read, and what it was sending, is not for the next one. It is gone before any page is shown with the new
// key, so that none waits for an answer that was thrown away.
onKeyChange(() => {
  queryClient.clear()
  forgetUploads()
})
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
