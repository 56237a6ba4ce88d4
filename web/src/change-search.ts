// Changes the query of the address, which is how a page is looked at.
import { useNavigate } from '@tanstack/react-router'
import type { Search } from './search.ts'

/** Names to their new values; undefined takes a name away. A step that Back undoes, unless `replace` is set (while typing). */
export function useChangeSearch(): (change: Search, options?: { replace?: boolean }) => void {
  const navigate = useNavigate()
  return (change, { replace = false } = {}) => {
    void navigate({ to: '.', search: (old: Search) => ({ ...old, ...change }), replace })
  }
}
