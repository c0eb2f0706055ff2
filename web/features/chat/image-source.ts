import { queryOptions, useQuery } from '@tanstack/react-query'
import { FILES_PATH } from '#contract/files.ts'
import type { ImageFacts } from '#domain/chat/conversation.ts'
import { downloadFile } from '#web/platform/download.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { useChatSession } from './use-chat.ts'

const keptMs = 30_000

const imageKey = ['chat', 'image'] as const

/** An object URL of a stored image, valid on this page. The bytes never change, and only this user may see them. */
const imageQuery = (userId: string, path: string) =>
  queryOptions({
    queryKey: [...imageKey, userId, path],
    queryFn: async ({ signal }) => {
      const bytes = await downloadFile(path, signal)
      signal.throwIfAborted()
      return URL.createObjectURL(bytes)
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
  })

// Revokes the URL of every image that leaves the cache, also at a logout.
queryClient.getQueryCache().subscribe(({ type, query: { queryKey, state } }) => {
  const isImage = imageKey.every((part, index) => queryKey[index] === part)
  if (type === 'removed' && isImage && typeof state.data === 'string') URL.revokeObjectURL(state.data)
})

/** Spec §9: an image is at most this high. */
const heightPx = 300
const widthPx = 260

/** The size reserved for an image, so that nothing moves when its bytes arrive; 4 to 3 while its size is unknown. */
export function imageFrame(image: ImageFacts | null): { readonly width: number; readonly aspectRatio: string } {
  const { width, height } = image ?? { width: 4, height: 3 }
  const scale = Math.min(image === null ? 50 : 1, heightPx / height, widthPx / width)
  return { width: Math.max(96, Math.round(width * scale)), aspectRatio: `${width} / ${height}` }
}

/** From this device during the upload, else the stored file: never another server's, whatever address a message has. */
export function useImageSource(content: string, previewUrl: string | undefined) {
  const isOurs = content.startsWith(FILES_PATH)
  const query = useQuery({
    ...imageQuery(useChatSession().self.id, content),
    enabled: previewUrl === undefined && isOurs,
  })
  if (previewUrl !== undefined) return { source: previewUrl, isBroken: false }
  return { source: query.data ?? null, isBroken: !isOurs || query.isError }
}
