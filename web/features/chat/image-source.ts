import { queryOptions, useQuery } from '@tanstack/react-query'
import { FILES_PATH } from '#contract/files.ts'
import type { ImageFacts } from '#domain/chat/conversation.ts'
import { downloadFile } from '#web/platform/download.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { useChatSession } from './use-chat.ts'

const keptMs = 30_000

const imageKey = ['chat', 'image'] as const

/** Fetches a stored image, whose bytes never change. Its query key has the user's id, so no other user gets it. */
const imageQuery = (userId: string, path: string) =>
  queryOptions({
    queryKey: [...imageKey, userId, path],
    queryFn: async ({ signal, queryKey, client }) => {
      // After a reconnect, the queries on screen run again, but a known image is not downloaded again.
      const known = client.getQueryData<string>(queryKey)
      if (known !== undefined) return known
      const bytes = await downloadFile(path, signal)
      signal.throwIfAborted()
      return URL.createObjectURL(bytes)
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
  })

queryClient.getQueryCache().subscribe(({ type, query: { queryKey, state } }) => {
  const isImage = imageKey.every((part, index) => queryKey[index] === part)
  if (type === 'removed' && isImage && typeof state.data === 'string') URL.revokeObjectURL(state.data)
})

/** The greatest height of an image (spec §9.4). */
const heightPx = 300
const widthPx = 260

/** Returns the size to reserve for an image, so that nothing moves when it loads. An unknown size counts as 4:3. */
export function imageFrame(image: ImageFacts | null): { readonly width: number; readonly aspectRatio: string } {
  const { width, height } = image ?? { width: 4, height: 3 }
  const scale = Math.min(image === null ? 50 : 1, heightPx / height, widthPx / width)
  return { width: Math.max(96, Math.round(width * scale)), aspectRatio: `${width} / ${height}` }
}

/** Returns the local file's preview if there is one, else the stored image, which is fetched only from our server. */
export function useImageSource(content: string, previewUrl: string | undefined) {
  const isOurs = content.startsWith(FILES_PATH)
  const query = useQuery({
    ...imageQuery(useChatSession().self.id, content),
    enabled: previewUrl === undefined && isOurs,
  })
  if (previewUrl !== undefined) return { source: previewUrl, isBroken: false }
  return { source: query.data ?? null, isBroken: !isOurs || query.isError }
}
