import { useSearch } from '@tanstack/react-router'
import { StaffChat } from '#web/features/chat/staff-chat.tsx'
import { useAnsweredCases } from '#web/features/disputes/case-slot.tsx'
import { afterDrawing } from '#web/platform/lazy-part.ts'
import { useMay } from '#web/platform/use-may.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { useMe } from '#web/features/identity/use-me.ts'
import { contentId } from '#web/layout/screen.tsx'

const loadCustomer = afterDrawing(() => import('./customer-beside.tsx'))

/** The chat of staff fills the window below the header, since its panes scroll separately (spec §2.8). */
export function MessagesScreen() {
  const me = useMe()
  const { conversation = '', search = '', message = '', filter = '' } = useSearch({ from: '/guarded/admin/chat' })
  const may = useMay('care')
  const { drawCase, dialog } = useAnsweredCases(me)
  if (!may) return <AdminPage title={screenTitles.adminChat} needs="care" />
  return (
    <main
      id={contentId}
      tabIndex={-1}
      className="flex h-[calc(100dvh-52px)] min-w-0 flex-col px-0 md:px-5 md:pt-1 md:pb-gutter"
    >
      <h1 tabIndex={-1} className="sr-only">
        {screenTitles.adminChat}
      </h1>
      <StaffChat
        me={me}
        toOpen={conversation}
        sought={search}
        message={message}
        filter={filter}
        drawCase={drawCase}
        loadCustomer={loadCustomer}
      />
      {dialog}
    </main>
  )
}
