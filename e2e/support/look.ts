import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Before a tag axe looks at each width of a sweep; for a change it looks at one or two. */
export const isEveryWidth = process.env['EVERY_WIDTH'] === 'yes'

type Rules = { readonly type: 'tag' | 'rule'; readonly values: readonly string[] }
type Axe = {
  run(part: string | Document, options: { runOnly: Rules }): ReturnType<AxeBuilder['analyze']>
}

/** WCAG 2.2 AA and everything below it. */
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const ofColours: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/**
 * Runs axe on the page, or on a part of it, once no fade is running: colours in the middle of a fade belong to no
 * theme.
 * @param options.part a selector
 * @param options.isRecoloured another theme of what was looked at before: only colours are judged again
 */
export async function failures(
  page: Page,
  options: { readonly part?: string; readonly isRecoloured?: boolean; readonly hasBestPractice?: boolean } = {},
): Promise<readonly string[]> {
  const { part, isRecoloured = false, hasBestPractice = true } = options
  const rules: Rules = isRecoloured
    ? ofColours
    : { type: 'tag', values: [...wcag, ...(hasBestPractice ? ['best-practice'] : [])] }
  await page.evaluate(async () => {
    const aFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await aFrame()
    const brief = document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().duration) < 1_000)
    await Promise.allSettled(brief.map((one) => one.finished))
    await aFrame()
  })
  // Injecting axe into a document takes longer than running it, so the copy that the first look injected is used again.
  const again = await page.evaluate(
    ([where, runOnly]) => {
      const { axe } = globalThis as { axe?: Axe }
      return axe?.run(where ?? document, { runOnly })
    },
    [part, rules] as const,
  )
  // The page has no frames; axe's other mode opens an extra page for them each time.
  const builder = new AxeBuilder({ page }).setLegacyMode()
  if (part !== undefined) builder.include(part)
  const { violations, passes } =
    again ??
    (await (isRecoloured ? builder.withRules([...rules.values]) : builder.withTags([...rules.values])).analyze())
  if (passes.length === 0) return ['axe looked at nothing']
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

/** The folder of E2E_PICTURES, where pictures are saved for people; undefined without it. */
export const pictures = process.env['E2E_PICTURES']

/** Saves pictures of the page, in both themes at every width. */
export async function look(page: Page, name: string, widths: readonly number[] = [360, 600, 768, 1024, 1280]) {
  if (pictures === undefined) return
  const before = page.viewportSize()
  for (const width of widths)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForTimeout(400)
      await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png` })
    }
  if (before !== null) await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null })
}
