import { walletEndpoints } from '#contract/wallet.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Api } from '#server/platform/http/http.ts'
import { COUNT_CAP, listAnswer, pageOf } from '#server/platform/http/lists.ts'
import { countLedger, listLedger, listWholeBets } from './queries.ts'

export function registerWallet(api: Api, db: Database): void {
  api.handle(walletEndpoints.ledger, async ({ subject, query }) => {
    const page = pageOf(query)
    const reason = query.reason ?? null
    const beforePosition = query.beforePosition ?? null
    const filter = { reason, beforePosition, offset: page.offset, limit: page.limit }
    const [{ rows, length }, counted] = await Promise.all([
      query.whole === 'bets'
        ? listWholeBets(db, subject.userId, filter)
        : listLedger(db, subject.userId, filter).then((rows) => ({ rows, length: page.limit })),
      countLedger(db, subject.userId, reason, COUNT_CAP),
    ])
    return listAnswer(rows, counted, { ...page, limit: length })
  })
}
