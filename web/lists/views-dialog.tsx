import type { UseQueryResult } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { cleanViewName, VIEW_NAME_MAX } from '#domain/saved-views/view-name.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { useAct } from '#web/ui/use-act.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { Trash2 } from '#web/ui/icons/trash-2.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { usePrompt } from '#web/ui/use-prompt.ts'
import { toast } from '#web/ui/toast.tsx'
import { Form } from '#web/ui/field.tsx'
import type { SavedView, ViewStore } from './saved-views.ts'
import type { TableSearch } from './table-search.ts'
import { adminTableTexts as texts } from './table-texts.ts'

export type ViewsDialogProps = {
  readonly store: ViewStore
  readonly query: UseQueryResult<readonly SavedView[]>
  readonly tableId: string
  readonly search: TableSearch
  readonly onUse: (search: TableSearch) => void
  readonly onClose: () => void
}

export function ViewsDialog({ store, query, tableId, search, onUse, onClose }: ViewsDialogProps) {
  const [deleting, setDeleting] = useState<SavedView>()
  const remove = async (view: SavedView) => {
    await store.remove(view)
    toast.success(texts.viewDeleted(view.name))
  }
  const { start, isBusy, failure } = useAct({ run: remove, failText: texts.viewNotDeleted })
  return (
    <Dialog onClose={onClose} title={texts.viewsTitle} description={texts.viewsHint}>
      <Views
        query={query}
        isDeleting={isBusy}
        onUse={(view) => {
          onUse(view.search)
          onClose()
        }}
        onDelete={(view) => (view.isShared ? setDeleting(view) : start(view))}
      />
      <FormFailure message={failure} />
      <SaveForm store={store} tableId={tableId} search={search} onSaved={onClose} />
      {deleting !== undefined && (
        <ActDialog
          title={texts.deleteSharedTitle(deleting.name)}
          description={texts.deleteSharedText}
          confirmLabel={texts.deleteSharedButton}
          tone="danger"
          run={() => remove(deleting)}
          failText={texts.viewNotDeleted}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Dialog>
  )
}

type ViewsProps = {
  readonly query: UseQueryResult<readonly SavedView[]>
  readonly isDeleting: boolean
  readonly onUse: (view: SavedView) => void
  readonly onDelete: (view: SavedView) => void
}

function Views({ query, ...acts }: ViewsProps) {
  const { data: views } = query
  if (views === undefined)
    return (
      <Pending query={query} fallback={texts.viewsFailed} className="flex flex-col gap-2" shapes={['h-11', 'h-11']} />
    )
  const groups = [
    { label: texts.ownViews, views: views.filter(({ maker }) => maker === null) },
    { label: texts.teamViews, views: views.filter(({ maker }) => maker !== null) },
  ]
  return (
    <>
      {views.length === 0 && <p className="text-sm text-ink-3">{texts.noViews}</p>}
      {groups
        .filter((group) => group.views.length > 0)
        .map((group) => (
          <ViewGroup key={group.label} {...group} {...acts} />
        ))}
    </>
  )
}

type ViewGroupProps = Omit<ViewsProps, 'query'> & {
  readonly label: string
  readonly views: readonly SavedView[]
}

function ViewGroup({ label, views, isDeleting, onUse, onDelete }: ViewGroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-1.5">
      <h3 id={id} className="text-xs font-semibold text-ink-3">
        {label}
      </h3>
      <ul className="flex flex-col divide-y divide-line rounded-s border border-line">
        {views.map((view) => (
          <li key={view.id} className="flex items-center gap-1 pl-1">
            <button
              type="button"
              aria-label={texts.applyView(view.name)}
              onClick={() => onUse(view)}
              className="flex min-h-target min-w-0 flex-1 flex-wrap items-center gap-x-2 rounded-s px-2 py-1 text-left text-sm hover:bg-surface-press"
            >
              <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{view.name}</span>
              {view.maker === null ? (
                view.isShared && <Badge tone="info">{texts.viewShared}</Badge>
              ) : (
                <span className="text-xs text-ink-3">{texts.viewOf(view.maker)}</span>
              )}
            </button>
            {view.mayDelete && (
              <IconButton label={texts.deleteView(view.name)} disabled={isDeleting} onClick={() => onDelete(view)}>
                <Trash2 aria-hidden size={16} strokeWidth={1.8} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

type SaveFormProps = Pick<ViewsDialogProps, 'store' | 'tableId' | 'search'> & { readonly onSaved: () => void }

function SaveForm({ store, tableId, search, onSaved }: SaveFormProps) {
  const name = usePrompt((text) => (cleanViewName(text) === null ? texts.viewNameRequired : undefined))
  const [isShared, setIsShared] = useState(false)
  const { start, isBusy, failure, forget } = useAct({
    failText: texts.viewNotSaved,
    run: async () => {
      const given = cleanViewName(name.text) ?? ''
      await store.save(tableId, { name: given, search, isShared })
      toast.success(texts.viewSaved(given))
    },
    onDone: onSaved,
  })
  return (
    <Form noValidate onSubmit={() => name.check() && start()} className="flex flex-col gap-3">
      <TextInput
        {...name.field}
        label={texts.viewName}
        maxLength={VIEW_NAME_MAX}
        onChange={(event) => {
          name.set(event.currentTarget.value)
          forget()
        }}
      />
      {store.mayShare && (
        <Switch label={texts.shareView} detail={texts.shareViewHint} isOn={isShared} onChange={setIsShared} />
      )}
      <FormFailure message={failure} />
      <Button type="submit" isWide isBusy={isBusy}>
        {texts.saveViewButton}
      </Button>
    </Form>
  )
}
