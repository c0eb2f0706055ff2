import { StaffChat } from '#web/features/chat/staff-chat.tsx'
import { useMe } from '#web/features/identity/use-me.ts'
import { contentId } from '#web/layout/screen.tsx'
import { adminTexts } from '#web/layout/admin-texts.ts'

/** /admin/chat: as high as the window, since its three parts scroll separately (spec §2). */
export function MessagesScreen() {
  const me = useMe()
  return (
    <main
      id={contentId}
      tabIndex={-1}
      className="flex h-[calc(100dvh-52px)] min-w-0 flex-col px-0 md:px-5 md:pt-1 md:pb-gutter"
    >
      <h1 tabIndex={-1} className="sr-only">
        {adminTexts.messages}
      </h1>
      <StaffChat me={me} />
    </main>
  )
}
