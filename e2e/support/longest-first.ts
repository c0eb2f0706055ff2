import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that mostly wait, for a minute and more: one that began last would be waited for alone. */
const LONG = ['server-away', 'live-chart', 'translated-page', 'open-book', 'play-a-round', 'two-admins']

/** Files in vitest's order, the larger ones first, but for those that take longest, which a file's size does not say. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(`/${name}.test.ts`))
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method
    const sorted = await super.sort(files)
    const byProject = Map.groupBy(sorted, ({ project }) => project.name)
    return [...byProject.values()].flatMap((own) => own.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a))))
  }
}
