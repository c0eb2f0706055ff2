/** An S3-compatible server in this process; the package has no types of its own. */
declare module '@20minutes/s3rver' {
  import type { AddressInfo } from 'node:net'

  class S3rver {
    constructor(options: {
      readonly address: string
      /** 0 takes any free port. */
      readonly port: number
      readonly directory: string
      readonly silent: boolean
      readonly allowMismatchedSignatures: boolean
      readonly vhostBuckets: boolean
      readonly configureBuckets: ReadonlyArray<{ readonly name: string }>
    })
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
  export = S3rver
}
