import { bookGet } from '#web/platform/book-get.ts'
import { sha256, verifyEd25519 } from '#web/platform/book-crypto.ts'
import { hasBeatAfter, judgePromise, judgeProof } from './judge-seal.ts'
import type { SealAnswer, SealJob } from './seal-jobs.ts'

/** After this time the requests of a job are aborted, and the job answers `away`. */
const jobMs = 60_000

/** Does one job. It runs in a worker, because verifying signatures in the page would freeze a phone. Never rejects. */
async function doJob(job: SealJob): Promise<SealAnswer> {
  const tools = { get: bookGet(AbortSignal.timeout(jobMs)), sha256, verifyEd25519, known: job.known }
  try {
    if (job.ask === 'promise') return await judgePromise(tools, job.bet, job.promise)
    if (job.ask === 'proof') return await judgeProof(tools, job.bet, job.proof, job.closesAtMs)
    return { is: 'beat-after', isSo: await hasBeatAfter(tools, job.origin, job.ms) }
  } catch {
    return { is: 'away' }
  }
}

globalThis.addEventListener('message', ({ data }: MessageEvent<{ readonly id: number; readonly job: SealJob }>) => {
  void doJob(data.job).then((answer) => globalThis.postMessage({ id: data.id, answer }, { transfer: [] }))
})
