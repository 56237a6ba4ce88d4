// The actions of the page of a review: settle disputed rows, invite reviewers, export answers, delete the review.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReviewReport } from 'assay-client'
import { Ellipsis, FileDown, Trash2, UserPlus } from 'lucide'
import { Suspense, useState } from 'react'
import { assay } from '../../../api/client.ts'
import { useCanShare, useCanWrite } from '../../../api/key.ts'
import { formatCount, pluralize } from '../../../format/numbers.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Menu, MenuItem, MenuItems } from '../../../ui/menus/menu.tsx'
import { ConfirmDialog } from '../../../ui/messages/dialog.tsx'
import { lazyComponent } from '../../../ui/messages/lazy-component.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'
import { saveAnswers } from './export-answers.ts'
import styles from './overview.module.css'
import { disputedIds } from './results.ts'

const ShareDialog = lazyComponent(async () => (await import('../../../share/share-dialog.tsx')).ShareDialog)

export function Actions({ report }: { report: ReviewReport }) {
  const { id } = report
  const mayWrite = useCanWrite()
  const canShare = useCanShare()
  const [dialog, setDialog] = useState<'share' | 'delete'>()
  const [first] = disputedIds(report)
  const { disputed } = report.progress
  const hasPrimary = mayWrite && first !== undefined
  const close = () => setDialog(undefined)
  return (
    <div className={styles.actions}>
      {hasPrimary && (
        <Link
          to="/reviews/$reviewId"
          params={{ reviewId: id }}
          search={{ row: first }}
          className={buttonClass({ variant: 'primary' })}
        >
          <span>
            Resolve {formatCount(disputed)} disputed
            <span className={styles.wide}> {disputed === 1 ? 'row' : 'rows'}</span>
          </span>
        </Link>
      )}
      {canShare && (
        <Button
          variant={hasPrimary ? undefined : 'primary'}
          icon={UserPlus}
          onClick={() => setDialog('share')}
        >
          Invite a reviewer
        </Button>
      )}
      <Menu label="More" icon={Ellipsis} isIconOnly align="end">
        <MenuItems>
          <MenuItem icon={FileDown} onClick={() => void saveAnswers(id, 'csv')}>
            Export answers as CSV
          </MenuItem>
          <MenuItem icon={FileDown} onClick={() => void saveAnswers(id, 'json')}>
            Export answers as JSON
          </MenuItem>
          {mayWrite && (
            <MenuItem icon={Trash2} onClick={() => setDialog('delete')}>
              Delete…
            </MenuItem>
          )}
        </MenuItems>
      </Menu>
      {dialog === 'share' && (
        <Suspense>
          <ShareDialog
            confined_to={{ review_id: id }}
            link={() => ({ link: location.origin + location.pathname })}
            onClose={close}
          />
        </Suspense>
      )}
      {dialog === 'delete' && <DeleteDialog report={report} onClose={close} />}
    </div>
  )
}

function DeleteDialog({ report, onClose }: { report: ReviewReport; onClose: () => void }) {
  const { id, name, evaluation_id, progress } = report
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => assay.deleteReview(id),
    onSuccess: async () => {
      await navigate({ to: '/evaluations/$evaluationId', params: { evaluationId: evaluation_id } })
      queryClient.removeQueries({ queryKey: ['review', id] })
      await queryClient.invalidateQueries({ queryKey: ['evaluation', evaluation_id] })
      toast(`Deleted ${name ?? id}.`)
    },
    onError: (error) => toast(`The review was not deleted. ${error.message}`),
  })
  return (
    <ConfirmDialog
      title="Delete review"
      buttonLabel="Delete"
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    >
      <p>
        This deletes the answers about {pluralize(progress.answered, 'row')} with their results. You cannot
        undo this.
      </p>
    </ConfirmDialog>
  )
}
