import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { gameTexts } from './game-texts.ts'
import { Pager } from '#web/ui/pager.tsx'
import { EmptyState, QueryFailure } from '#web/ui/states.tsx'
import { betsPerPage, betsQuery } from './api.ts'
import { BetRow } from './bet-row.tsx'
import { LoadingBets } from './loading-bets.tsx'

export function BetHistoryList() {
  const [page, setPage] = useState(1)
  const query = useQuery({ ...betsQuery(page), placeholderData: keepPreviousData })
  const { data } = query
  if (data === undefined) return query.isError ? <QueryFailure query={query} /> : <LoadingBets />
  if (data.bets.length === 0 && page === 1) return <EmptyState text={gameTexts.historyEmpty} />
  return (
    <div className="flex flex-col">
      <ul className="divide-y divide-line">
        {data.bets.map((bet) => (
          <li key={bet.id} className="py-3">
            <BetRow bet={bet} />
          </li>
        ))}
      </ul>
      <Pager
        label={gameTexts.historyPaging}
        page={page}
        pages={Math.ceil(data.total / betsPerPage)}
        hasMore={data.hasMore}
        onChange={setPage}
      />
      <Link
        to="/account/bets"
        className="grid min-h-target place-items-center text-center text-sm font-medium text-gold underline-offset-4 hover:underline"
      >
        {gameTexts.allBets}
      </Link>
    </div>
  )
}
