import { RowButton } from '#web/lists/row-button.tsx'
import { Eye } from '#web/ui/icons/eye.tsx'
import { PencilLine } from '#web/ui/icons/pencil-line.tsx'
import { Trash2 } from '#web/ui/icons/trash-2.tsx'
import type { MenuGroup, MenuItem } from '#web/ui/menu.tsx'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import type { CashRequest } from './api.ts'
import { approvalOf, approveLabel, type RequestAct } from './request-act.ts'
import type { RequestRights } from './use-rights.ts'

type ActsProps = {
  readonly request: CashRequest
  readonly rights: RequestRights
  readonly onAct: (act: RequestAct) => void
}

/** The buttons that decide a request or edit its rejection reason, and the name of a colleague who just decided it. */
export function RequestButtons({ request, rights: { may, isOwn, canDecide, overtakenBy }, onAct }: ActsProps) {
  const other = overtakenBy(request)
  const reject = () => onAct({ kind: 'reject', seen: request })
  return (
    <>
      {other !== null && (
        <span className="max-w-32 truncate px-1 text-xs font-medium text-warn max-md:text-sm">
          {texts.justDecided(other)}
        </span>
      )}
      {canDecide(request) && (
        <>
          <RowButton onClick={reject}>{texts.reject}</RowButton>
          <RowButton variant="up" onClick={() => onAct(approvalOf(request))}>
            {approveLabel(request)}
          </RowButton>
        </>
      )}
      {may && !isOwn(request) && request.status === 'rejected' && other === null && (
        <RowButton onClick={reject}>{texts.editReason}</RowButton>
      )}
    </>
  )
}

export function requestMenu({
  request,
  rights: { may, isOwn, overtakenBy },
  onAct,
  openUser,
}: ActsProps & { readonly openUser: (ownerId: string) => MenuItem }): readonly MenuGroup[] {
  const act = (kind: 'details' | 'reject' | 'remove') => () => onAct({ kind, seen: request })
  // A row that names the colleague who decided has no button that edits the reason, so the menu offers the edit.
  const isEditHere = may && !isOwn(request) && request.status === 'rejected' && overtakenBy(request) !== null
  const removal: MenuItem = {
    id: 'remove',
    label: texts.remove,
    icon: Trash2,
    tone: 'danger',
    isDisabled: isOwn(request),
    hint: isOwn(request) ? texts.ownRequest : undefined,
    onSelect: act('remove'),
  }
  return [
    {
      id: 'see',
      items: [
        { id: 'details', label: texts.details, icon: Eye, onSelect: act('details') },
        openUser(request.owner.id),
        ...(isEditHere ? [{ id: 'edit', label: texts.editReason, icon: PencilLine, onSelect: act('reject') }] : []),
      ],
    },
    { id: 'remove', items: may ? [removal] : [] },
  ]
}
