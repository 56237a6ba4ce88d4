// A link to a revision: "r3", or other content.
import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

interface RevisionLinkProps
  extends Pick<ComponentProps<'a'>, 'className' | 'title' | 'rel' | 'tabIndex' | 'children'> {
  variantId: string
  revision: number
}

export function RevisionLink({
  variantId,
  revision,
  children = `r${revision}`,
  ...props
}: RevisionLinkProps) {
  const params = { variantId, revision: String(revision) }
  return (
    <Link to="/variants/$variantId/revisions/$revision" params={params} {...props}>
      {children}
    </Link>
  )
}
