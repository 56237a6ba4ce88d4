// Sets the document title: the page, then the product.
import { useEffect } from 'react'

export function useDocumentTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter(Boolean), 'Assay'].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
