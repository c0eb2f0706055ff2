import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of two minutes and more: one that began last would be waited for alone. */
const LONG = [
  'player-accessibility',
  'chat-desk',
  'live-chart',
  'admin-accessibility',
  'held-bet',
  'server-away',
  'two-admins',
  'list-filters',
  'play-a-round',
  'translated-page',
]

/** Files that take longest, in this order, then the others in vitest's, the larger ones first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return at === -1 ? LONG.length : at
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
