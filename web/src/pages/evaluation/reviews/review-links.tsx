// Links to the reviews of an evaluation.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { pluralize } from '../../../format/numbers.ts'
import { Menu, MenuItems, menuItemClass } from '../../../ui/menus/menu.tsx'
import header from '../header/header.module.css'
import { useCanHaveReviews } from './can-have-reviews.ts'
import { reviewsQuery } from './reviews-query.ts'

export function ReviewLinks({ evaluation }: { evaluation: Evaluation }) {
  const enabled = useCanHaveReviews(evaluation)
  const { data: reviews = [] } = useQuery({ ...reviewsQuery(evaluation.id), enabled })
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
  if (links.length < 2) return links
  return (
    <Menu label={pluralize(links.length, 'review')} variant="plain" size="small" className={header.baseline}>
      <MenuItems>{links}</MenuItems>
    </Menu>
  )
}
