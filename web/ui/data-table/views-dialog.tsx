import { Trash2 } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { adminTableTexts as texts } from './table-texts.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { TableSearch } from './table-search.ts'
import { deleteView, onSettingsChanged, savedViews, saveView } from './table-settings.ts'

export type ViewsDialogProps = {
  readonly tableId: string
  readonly search: TableSearch
  readonly onUse: (search: TableSearch) => void
  readonly onClose: () => void
}

/** Saves the current view under a name, and lists the saved views. */
export function ViewsDialog({ tableId, search, onUse, onClose }: ViewsDialogProps) {
  const views = useSyncExternalStore(onSettingsChanged, () => savedViews(tableId))
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const save = () => {
    const given = name.trim()
    if (given === '') return setError(texts.viewNameRequired)
    // A saved view starts at its first page.
    const kept = Object.entries(search).filter(([parameter]) => parameter !== 'page')
    saveView(tableId, { name: given, search: Object.fromEntries(kept) })
    toast.success(texts.viewSaved(given))
    onClose()
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={texts.viewsTitle}
      description={texts.viewsHint}
    >
      {views.length === 0 ? (
        <p className="text-sm text-ink-3">{texts.noViews}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-s border border-line">
          {views.map((view) => (
            <li key={view.name} className="flex items-center gap-1 pl-1">
              <button
                type="button"
                aria-label={texts.applyView(view.name)}
                onClick={() => {
                  onUse(view.search)
                  onClose()
                }}
                className="min-h-target min-w-0 flex-1 truncate rounded-s px-2 text-left text-sm font-medium hover:bg-surface-press"
              >
                {view.name}
              </button>
              <IconButton label={texts.deleteView(view.name)} onClick={() => deleteView(tableId, view.name)}>
                <Trash2 aria-hidden size={16} strokeWidth={1.8} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
        className="flex flex-col gap-3"
      >
        <TextInput
          label={texts.viewName}
          value={name}
          maxLength={40}
          error={error}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setError(undefined)
          }}
        />
        <Button type="submit" isWide>
          {texts.saveViewButton}
        </Button>
      </form>
    </Dialog>
  )
}
