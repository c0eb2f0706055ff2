import { queryOptions, useQuery } from '@tanstack/react-query'
import { FILES_PATH } from '#contract/files.ts'
import type { ImageFacts } from '#domain/chat/conversation.ts'
import { downloadFile } from './download.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { useChatSession } from './use-chat.ts'

/** An image that is no longer on screen is kept this long, in case somebody scrolls back to it. */
const keptMs = 30_000

const imageKey = ['chat', 'image'] as const

/** The address, on this page alone, of a stored image. Its bytes never change, and are this user's to see. */
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

// Whatever leaves the cache, at a logout too, gives its memory back.
queryClient.getQueryCache().subscribe(({ type, query: { queryKey, state } }) => {
  const isImage = imageKey.every((part, index) => queryKey[index] === part)
  if (type === 'removed' && isImage && typeof state.data === 'string') URL.revokeObjectURL(state.data)
})

/** Spec §9: an image is at most this high. */
const heightPx = 300
const widthPx = 260

/** The place that an image needs, so that nothing moves when its bytes arrive; 4 to 3 while nobody knows its size. */
export function imageFrame(image: ImageFacts | null): { readonly width: number; readonly aspectRatio: string } {
  const { width, height } = image ?? { width: 4, height: 3 }
  const scale = Math.min(image === null ? 50 : 1, heightPx / height, widthPx / width)
  return { width: Math.max(96, Math.round(width * scale)), aspectRatio: `${width} / ${height}` }
}

export type ImageSource = {
  /** For an `img`; null until the bytes are here. */
  readonly source: string | null
  readonly isBroken: boolean
}

/**
 * The picture of an image message: from this device while it is being sent, else the stored one, which is fetched with
 * the user's token. Only what our own server keeps is fetched, whatever a message says.
 */
export function useImageSource(content: string, previewUrl: string | undefined): ImageSource {
  const isOurs = content.startsWith(FILES_PATH)
  const query = useQuery({
    ...imageQuery(useChatSession().self.id, content),
    enabled: previewUrl === undefined && isOurs,
  })
  if (previewUrl !== undefined) return { source: previewUrl, isBroken: false }
  return { source: query.data ?? null, isBroken: !isOurs || query.isError }
}
