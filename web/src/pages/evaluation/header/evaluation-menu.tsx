// Renames and deletes an evaluation, for keys with the write scope.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { Ellipsis, Pencil, Trash2 } from 'lucide'
import { useId, useState } from 'react'
import { assay } from '../../../api/client.ts'
import { pluralize } from '../../../format/numbers.ts'
import { Menu, MenuItem, MenuItems } from '../../../ui/menus/menu.tsx'
import { ConfirmDialog } from '../../../ui/messages/dialog.tsx'
import { toast } from '../../../ui/messages/toasts.tsx'

export function EvaluationMenu({ evaluation }: { evaluation: Evaluation }) {
  const [openDialog, setOpenDialog] = useState<'rename' | 'delete'>()
  const dialogProps = { evaluation, onClose: () => setOpenDialog(undefined) }
  return (
    <>
      <Menu label="More" icon={Ellipsis} isIconOnly align="end">
        <MenuItems>
          <MenuItem icon={Pencil} onClick={() => setOpenDialog('rename')}>
            Rename…
          </MenuItem>
          <MenuItem icon={Trash2} onClick={() => setOpenDialog('delete')}>
            Delete…
          </MenuItem>
        </MenuItems>
      </Menu>
      {openDialog === 'rename' && <RenameDialog {...dialogProps} />}
      {openDialog === 'delete' && <DeleteDialog {...dialogProps} />}
    </>
  )
}

interface DialogProps {
  evaluation: Evaluation
  onClose: () => void
}

function RenameDialog({ evaluation: { id, name }, onClose }: DialogProps) {
  const [newName, setNewName] = useState(name ?? '')
  const inputId = useId()
  const queryClient = useQueryClient()
  const rename = useMutation({
    mutationFn: () => assay.changeEvaluation(id, { name: newName.trim() === '' ? null : newName.trim() }),
    onSuccess: () => queryClient.invalidateQueries(),
    onError: (error) => toast(`The evaluation was not renamed. ${error.message}`),
  })
  return (
    <ConfirmDialog
      title="Rename evaluation"
      buttonLabel="Rename"
      onClose={onClose}
      onConfirm={() => rename.mutate()}
    >
      <label htmlFor={inputId}>Name</label>
      <input id={inputId} value={newName} onChange={(event) => setNewName(event.target.value)} />
    </ConfirmDialog>
  )
}

function DeleteDialog({ evaluation: { id, name, scenario_count }, onClose }: DialogProps) {
  const [typedName, setTypedName] = useState('')
  const inputId = useId()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => assay.deleteEvaluation(id),
    onSuccess: async () => {
      await navigate({ to: '/' })
      queryClient.removeQueries({ queryKey: ['evaluation', id] })
      await queryClient.invalidateQueries()
      toast(`Deleted ${name ?? id}.`)
    },
    onError: (error) => toast(`The evaluation was not deleted. ${error.message}`),
  })
  const expectedName = name ?? id
  return (
    <ConfirmDialog
      title="Delete evaluation"
      buttonLabel="Delete"
      isDisabled={typedName !== expectedName}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    >
      <p>
        This deletes {pluralize(scenario_count, 'scenario')} with all results, pins and notes. You cannot undo
        this.
      </p>
      <label htmlFor={inputId}>
        Type <strong>{expectedName}</strong> to confirm
      </label>
      <input
        id={inputId}
        autoComplete="off"
        spellCheck={false}
        value={typedName}
        onChange={(event) => setTypedName(event.target.value)}
      />
    </ConfirmDialog>
  )
}
