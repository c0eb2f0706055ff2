import { VIEW_NAME_MAX } from '#domain/saved-views/view-name.ts'
import { refusalOf } from '#web/platform/http.ts'
import { forgetView, storedViews } from '#web/lists/table-settings.ts'
import { saveView } from './api.ts'

/** Behind the name of a view whose own name another one has on the server. */
const mark = ' (cũ)'

const save = (list: string, name: string, search: ReturnType<typeof storedViews>[number]['search']) =>
  saveView({ list, name, search, isShared: false })

/**
 * Moves a list's views that the version before kept in this browser to the server, each once: one that is there already
 * only leaves the browser. Returns how many stay, because there is no room or no answer.
 */
export async function moveStoredViews(list: string): Promise<number> {
  for (const { name, search } of storedViews(list)) {
    try {
      await save(list, name, search).catch((error: unknown) => {
        if (refusalOf<'saveView'>(error)?.code !== 'VIEW_NAME_TAKEN') throw error
        return save(list, name.slice(0, VIEW_NAME_MAX - mark.length) + mark, search)
      })
    } catch (error) {
      // A view that no version can read is not worth keeping; everything else is tried again next time.
      const code = refusalOf<'saveView'>(error)?.code
      if (code !== 'BAD_REQUEST' && code !== 'VIEW_NAME_INVALID') return storedViews(list).length
    }
    forgetView(list, name)
  }
  return storedViews(list).length
}
