import { bookGet } from '#web/platform/book-get.ts'
import { sha256, verifyEd25519 } from '#web/platform/book-crypto.ts'
import { hasBeatAfter, judgePromise, judgeProof, type SealTools } from './judge-seal.ts'
import type { SealAnswer, SealJob } from './seal-jobs.ts'

/** A worker, because a phone's screen would stop while signatures are verified. */

/** A longer job is given up; the page asks again. */
const jobMs = 60_000

/** Does one job. Never rejects. */
export async function doJob(job: SealJob, tools: Omit<SealTools, 'known'>): Promise<SealAnswer> {
  const all = { ...tools, known: job.known }
  try {
    if (job.ask === 'promise') return await judgePromise(all, job.bet, job.promise)
    if (job.ask === 'proof') return await judgeProof(all, job.bet, job.proof, job.closesAtMs)
    return { is: 'beat-after', isSo: await hasBeatAfter(all, job.origin, job.ms) }
  } catch {
    return { is: 'away' }
  }
}

globalThis.addEventListener('message', ({ data }: MessageEvent<{ readonly id: number; readonly job: SealJob }>) => {
  const get = bookGet(AbortSignal.timeout(jobMs))
  void doJob(data.job, { get, sha256, verifyEd25519 }).then((answer) =>
    globalThis.postMessage({ id: data.id, answer }, { transfer: [] }),
  )
})
