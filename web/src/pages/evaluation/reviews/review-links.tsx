// Links to the reviews of an evaluation, and to the comparison of a judge with people.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import type { ReactNode } from 'react'
import { useRestriction } from '../../../api/restriction.ts'
import { pluralize } from '../../../format/numbers.ts'
import { reviewsQuery } from '../../../queries/reviews.ts'
import { Menu, MenuItems, menuItemClass } from '../../../ui/menus/menu.tsx'
import header from '../header/header.module.css'

export function ReviewLinks({ evaluation: { id, evaluators } }: { evaluation: Evaluation }) {
  // The evaluators of a review are declared as human, so others need no request.
  const isReviewed = evaluators?.some(({ kind }) => kind === 'human') ?? false
  const isRestricted = useRestriction() !== null
  const { data: reviews = [] } = useQuery({ ...reviewsQuery(id), enabled: isReviewed && !isRestricted })
  const links = reviews.map((review) => (
    <Link
      key={review.id}
      to="/reviews/$reviewId"
      params={{ reviewId: review.id }}
      className={reviews.length > 1 ? menuItemClass : undefined}
    >
      <bdi>Review{review.name !== null && `: ${review.name}`}</bdi>
    </Link>
  ))
  const judge = evaluators?.find(({ kind }) => kind === 'model')?.name
  return (
    <>
      {isReviewed && judge !== undefined && (
        <Link to="/evaluations/$evaluationId/agreement" params={{ evaluationId: id }}>
          Can I trust <bdi>{judge}</bdi>?
        </Link>
      )}
      <Reviews links={links} />
    </>
  )
}

function Reviews({ links }: { links: ReactNode[] }) {
  if (links.length < 2) return links
  return (
    <Menu label={pluralize(links.length, 'review')} variant="plain" size="small" className={header.baseline}>
      <MenuItems>{links}</MenuItems>
    </Menu>
  )
}
