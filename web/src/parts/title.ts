// The title of the window: what is looked at, then the product.
import { useEffect } from 'react'

export function useTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter(Boolean), 'Assay'].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
