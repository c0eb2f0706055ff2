import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CASE_TOPICS } from '#domain/chat/desk.ts'
import { careTopicTexts } from '#web/parts/care-topic-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { classNames } from '#web/ui/class-names.ts'
import { MoreRows } from '#web/ui/more-rows.tsx'
import { QueryFailure } from '#web/ui/states.tsx'
import { besideTexts as texts } from './beside-texts.ts'
import { type ListTab, tabQuery } from './staff-api.ts'
import { tagsQuery } from './tags-api.ts'
import { useChatSession } from './use-chat.ts'

/** Lets the admin choose the list's tag or topic. The page's address keeps the choice as `tag:…` or `topic:…`. */
export function ListFilter({ filter }: { readonly filter: string }) {
  const navigate = useNavigate()
  const { data = [] } = useQuery(tagsQuery)
  const tag = filter.startsWith('tag:') ? filter.slice('tag:'.length) : ''
  const known = data.some((one) => one.tag === tag) || tag === '' ? data : [{ tag, conversations: 0 }, ...data]
  return (
    <select
      aria-label={texts.listFilter}
      value={filter}
      onChange={({ target }) =>
        void navigate({
          to: '/admin/chat',
          // If the conversation stayed in the address, a later link to the same conversation would not open it.
          search: (known) => ({ ...known, conversation: undefined, filter: target.value || undefined }),
          replace: true,
          resetScroll: false,
        })
      }
      className={classNames(
        'min-h-8 max-w-36 rounded-pill border px-2 text-xs font-medium',
        filter === '' ? 'border-line-strong bg-surface text-ink-2' : 'border-gold bg-gold-soft text-gold',
      )}
    >
      <option value="">{texts.unfiltered}</option>
      <optgroup label={texts.topics}>
        {CASE_TOPICS.map((topic) => (
          <option key={topic} value={`topic:${topic}`}>
            {careTopicTexts.topics[topic]}
          </option>
        ))}
      </optgroup>
      {known.length > 0 && (
        <optgroup label={texts.tags}>
          {known.map((one) => (
            <option key={one.tag} value={`tag:${one.tag}`}>
              {texts.tagWithCount(one.tag, formatCount(one.conversations))}
            </option>
          ))}
        </optgroup>
      )}
    </select>
  )
}

/**
 * Loads the newest conversations of a tab that match the filter, and the next ones when its button is pressed. Without
 * a filter only the done ones, since `loadDesk` loads the others.
 */
export function MoreOfTab({ tab, filter }: { readonly tab: ListTab; readonly filter: string }) {
  const query = useInfiniteQuery({
    ...tabQuery(tab, filter, useChatSession().receiveConversations),
    enabled: filter !== '' || tab === 'done',
    // A page is taken only when it arrives, so the list asks for it again when it is shown again.
    gcTime: 0,
  })
  return query.isLoadingError ? (
    <QueryFailure query={query} />
  ) : (
    <MoreRows key={tab + filter} query={query} label={texts.more} />
  )
}
