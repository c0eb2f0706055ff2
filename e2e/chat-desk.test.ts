import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { refusals } from '#contract/refusals.ts'
import { adminCustomerTexts } from '#web/features/admin-customer/admin-customer-texts.ts'
import { besideTexts } from '#web/features/chat/beside-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { deskTexts } from '#web/features/chat/desk-texts.ts'
import { adminTexts } from '#web/layout/admin-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { aCustomer, anotherAdmin, aPlayer, call } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { useCare } from './support/chat-writer.ts'
import { failures, look } from './support/look.ts'
import { conversationRow, messageField as field } from './support/message-field.ts'

const { server, visit } = useProduct()
const care = useCare(() => server.url)
const { writer } = care

const customer = (page: Page) => page.getByRole('button', { name: chatTexts.customer })

/** Widths, in px of the desk's own room, from which on there are two panes beside each other, and three. */
const twoPanes = 640
const threePanes = 960

/** The narrowest window to look at, in px: below 768 px the sidebar takes no room, whether it is shut or open. */
const narrowest = { shut: 320, open: 768 } as const

/** What is wrong with an open conversation on this screen, in words. */
const faults = (page: Page) =>
  page.evaluate(
    async ([texts, two, three]) => {
      // The desk measures its room once it is drawn.
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))
      const wrong: string[] = []
      const main = document.querySelector('main')
      const pane = [...document.querySelectorAll('main section')].find((one) => one.querySelector('textarea') !== null)
      if (main === null || pane === undefined) return ['no conversation is shown']
      const { paddingLeft, paddingRight } = getComputedStyle(main)
      const room = main.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
      const isShown = (one: Element | null | undefined) => one?.checkVisibility() === true
      const list = document.querySelector(`[role=region][aria-label="${texts.conversations}"]`)
      const panel = document.querySelector(`aside[aria-label="${texts.customer}"]`)
      if (isShown(list) !== room >= two) wrong.push(`list: ${isShown(list)}`)
      if (isShown(panel) !== room >= three) wrong.push(`panel: ${isShown(panel)}`)
      const parts: (readonly [string, Element | null | undefined])[] = [
        ...[...pane.querySelectorAll('header button, form button')].map(
          (one) => [one.getAttribute('aria-label') ?? '', one] as const,
        ),
        ['name', pane.querySelector('h2')],
        ['field', pane.querySelector('textarea')],
        ['messages', pane.querySelector('[role=region]')],
        ['list', list],
        ['panel', panel],
      ]
      const boxes = parts
        .filter(([, one]) => isShown(one))
        .map(([name, one]) => ({ name, one: one!, box: one!.getBoundingClientRect() }))
      for (const { name, one, box } of boxes) {
        if (box.left < -1 || box.right > innerWidth + 1) wrong.push(`${name} leaves the screen`)
        const least = { field: 240, name: 80 }[name]
        if (least !== undefined && box.width < least) wrong.push(`${name}: ${box.width} px`)
        const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        if (top === null || !(one.contains(top) || top.contains(one))) wrong.push(`${name} is covered`)
        for (const other of boxes)
          if (
            other.name > name &&
            Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > 1 &&
            Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) > 1
          )
            wrong.push(`${name} and ${other.name} lie over each other`)
      }
      if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways')
      for (const one of [pane, list, panel])
        if (one && isShown(one) && one.scrollWidth > one.clientWidth + 1)
          wrong.push(`${one.ariaLabel} scrolls sideways`)
      return wrong
    },
    [{ conversations: chatTexts.conversations, customer: chatTexts.customer }, twoPanes, threePanes] as const,
  )

describe('the desk of customer care', () => {
  test('has as many panes as its own room holds, at every width, with the sidebar open and shut', async () => {
    // With a colleague, to whom the conversation could be handed over: one button more in the header.
    const [account] = [await aPlayer(server.url), await anotherAdmin(server.url, care.adminToken)]
    const write = await writer(account.token)
    await write(care.adminId, 'Chào bạn, mình muốn hỏi về phiên hôm qua')
    const { page } = await visit('/admin/chat', { token: care.adminToken, width: 1920, height: 900 })
    await conversationRow(page, account).click()
    await field(page).waitFor()
    await customer(page).click()
    const panel = page.getByRole('complementary', { name: chatTexts.customer })
    await panel.getByText(besideTexts.noBets).waitFor()
    await page.getByRole('button', { name: besideTexts.handOver }).waitFor()
    const wrong: string[] = []
    for (const sidebar of ['shut', 'open'] as const) {
      await page.setViewportSize({ width: 1920, height: 900 })
      const toggle = page.getByRole('button', { name: adminTexts.toggleSidebar })
      if ((await toggle.getAttribute('aria-expanded')) !== String(sidebar === 'open')) await toggle.click()
      for (let width: number = narrowest[sidebar]; width <= 1920; width += 64) {
        await page.setViewportSize({ width, height: 900 })
        const found = await faults(page)
        wrong.push(...found.map((fault) => `${width} px, sidebar ${sidebar}: ${fault}`))
      }
      await look(page, `desk-${sidebar}`, [360, 768, 1024, 1280, 1920])
    }
    expect(wrong).toEqual([])

    // Below three panes the customer is a sheet, which gives the focus back.
    await page.setViewportSize({ width: 1024, height: 768 })
    await panel.waitFor({ state: 'hidden' })
    await customer(page).click()
    const sheet = page.getByRole('dialog', { name: chatTexts.customer })
    await sheet.getByText(besideTexts.noBets).waitFor()
    expect(await failures(page)).toEqual([])
    await look(page, 'desk-sheet', [360, 768, 1024])
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    expect(await customer(page).evaluate((button) => button === document.activeElement)).toBe(true)

    // With one pane there is a way back to the list.
    await page.setViewportSize({ width: 768, height: 768 })
    await page.getByRole('button', { name: chatTexts.back }).click()
    await field(page).waitFor({ state: 'detached' })
    await page.getByRole('region', { name: chatTexts.conversations }).waitFor()
    expect(await failures(page)).toEqual([])
  })
})

const tab = (page: Page, name: keyof typeof chatTexts.tabs) =>
  page
    .getByRole('group', { name: chatTexts.deskTabs })
    .getByRole('button', { name: new RegExp(`^${chatTexts.tabs[name]}`) })

/** A conversation that the admin holds. */
const aConversation = async () => {
  const account = await aPlayer(server.url)
  await (
    await writer(account.token)
  )(care.adminId, 'Bạn ơi')
  const { id } = await call(server.url, endpoints.openConversation, {
    token: care.adminToken,
    body: { participantId: account.id },
  })
  return { id, account }
}

describe('a conversation of a colleague', () => {
  const others = (page: Page, name: string) =>
    page.getByRole('region', { name: besideTexts.othersConversations }).getByRole('listitem').filter({ hasText: name })
  const give = (conversationId: string, fromId: string, toId: string) =>
    call(server.url, endpoints.changeHolder, {
      token: care.adminToken,
      params: { id: conversationId },
      body: { fromId, toId },
    })
  /** Hands a conversation over between the press on `claim` and its call's arrival. */
  const claimTooLate = async (page: Page, id: string, toId: string, claim: Locator) => {
    const handOver = async (route: Route) => {
      await give(id, care.adminId, toId)
      await route.fallback()
    }
    await page.route(`**/api/v1/chat/conversations/${id}/holder`, handOver, { times: 1 })
    const refused = page.waitForResponse((response) => response.status() === 409)
    await claim.click()
    await refused
  }

  test('a refused claim says so in the sheet or row where it was pressed, and names the new holder', async () => {
    const [colleague, third] = [
      await anotherAdmin(server.url, care.adminToken),
      await anotherAdmin(server.url, care.adminToken),
    ]
    const [first, second] = [await aConversation(), await aConversation()]
    const { page } = await visit('/admin/chat', { token: colleague.token, width: 1280, height: 800 })
    const name = first.account.username
    await tab(page, 'others').click()
    await others(page, name)
      .getByRole('button', { name: besideTexts.peek(name) })
      .click()
    const sheet = page.getByRole('dialog', { name })
    const claim = sheet.getByRole('button', { name: new RegExp(besideTexts.claim) })
    await claim.waitFor()
    await claimTooLate(page, first.id, third.id, claim)
    await sheet.getByRole('alert').getByText(refusals.HOLDER_CHANGED.message).waitFor()
    await sheet.getByText(besideTexts.answering(third.username)).waitFor()
    expect(await failures(page)).toEqual([])
    await look(page, 'claim-refused', [360, 1280])
    await claim.click()
    await sheet.waitFor({ state: 'detached' })
    await page.getByRole('article').getByText('Bạn ơi').waitFor()

    const row = others(page, second.account.username)
    const shortClaim = row.getByRole('button', { name: new RegExp(besideTexts.claim) })
    await claimTooLate(page, second.id, third.id, shortClaim)
    await row.getByRole('alert').getByText(refusals.HOLDER_CHANGED.message).waitFor()
    await row.getByText(besideTexts.answering(third.username)).waitFor()
    await look(page, 'claim-refused-row', [360, 1280])
    await shortClaim.click()
    await page.getByRole('heading', { name: second.account.username }).waitFor()
    await row.waitFor({ state: 'detached' })

    // Deleting is refused in its dialog as well.
    await page.route('**/api/v1/chat/conversations/*', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
    )
    await page.getByRole('button', { name: chatTexts.deleteTitle }).click()
    const dialog = page.getByRole('alertdialog', { name: chatTexts.deleteTitle })
    await dialog.getByRole('button', { name: commonTexts.confirm }).click()
    await dialog.getByRole('alert').getByText(/./).waitFor()
    expect(await failures(page)).toEqual([])
  })

  test('“Nhắn tin” leads to it, to be read and claimed, and makes no second one', async () => {
    const colleague = await anotherAdmin(server.url, care.adminToken)
    const { id, account } = await aConversation()
    const { page } = await visit(`/admin/user/${account.id}`, { token: colleague.token, width: 1280, height: 800 })
    const write = page.getByRole('button', { name: adminCustomerTexts.write, exact: true })
    await write.click()
    await page.waitForURL(`**/admin/chat?conversation=${id}`)
    const sheet = page.getByRole('dialog', { name: account.username })
    await sheet.getByText('Bạn ơi').waitFor()
    await sheet.getByRole('button', { name: new RegExp(besideTexts.claim) }).click()
    await page.getByRole('article').getByText('Bạn ơi').waitFor()
    const ofPlayer = () => call(server.url, endpoints.listConversations, { token: account.token })
    expect((await ofPlayer()).map((one) => [one.id, one.participants[1].id])).toEqual([[id, colleague.id]])

    // Nobody serves this one yet, and then it is an own one.
    const other = await aPlayer(server.url)
    for (let time = 0; time < 2; time++) {
      await page.goto(`/admin/user/${other.id}`)
      await write.click()
      await page.getByRole('heading', { name: other.username }).waitFor()
      await field(page).waitFor()
    }
  })
})

describe('how far staff are with a conversation', () => {
  /** Players who wrote to a new colleague, in this order. */
  const aQueue = async (texts: readonly string[]) => {
    const colleague = await anotherAdmin(server.url, care.adminToken)
    const players = []
    for (const text of texts) {
      const account = await aPlayer(server.url)
      const write = await writer(account.token)
      await write(colleague.id, text)
      players.push({ ...account, write })
    }
    const { page } = await visit('/admin/chat', { token: colleague.token, width: 1280, height: 800 })
    return { colleague, players, page }
  }
  const rows = (page: Page) =>
    page.getByRole('region', { name: chatTexts.conversations }).getByRole('listitem').getByRole('button')
  /** A button of the open conversation; tabs have the same words. */
  const act = (page: Page, name: string) =>
    page.locator('main section:has(textarea)').getByRole('button', { name, exact: true })
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 2 })

  test('“Xong” ends the wait and a message opens it again; “Hẹn lại” puts it away; both come back with a message', async () => {
    const { page, colleague, players } = await aQueue(['Rút điểm thế nào?', 'Cảm ơn bạn'])
    const [first, second] = players
    await tab(page, 'waiting').click()
    await expect.poll(() => tab(page, 'waiting').textContent()).toBe(`${chatTexts.tabs.waiting} 2`)
    await expect
      .poll(() => rows(page).allTextContents())
      .toMatchObject([
        expect.stringContaining(first!.username) as string,
        expect.stringContaining(second!.username) as string,
      ])
    await rows(page).first().click()
    await page.getByText(deskTexts.waits('1 phút')).waitFor()
    await look(page, 'desk-waiting', [360, 768, 1024, 1280, 1920])
    expect(await failures(page)).toEqual([])

    await act(page, deskTexts.snooze).click()
    const dialog = page.getByRole('dialog', { name: deskTexts.snoozeTitle })
    await dialog.getByRole('button', { name: new RegExp(deskTexts.snoozeChoices.tomorrow) }).waitFor()
    expect(await failures(page)).toEqual([])
    await look(page, 'desk-snooze', [360, 1280])
    await dialog.getByRole('button', { name: new RegExp(deskTexts.snoozeChoices.tomorrow) }).click()
    // On to the next one.
    await heading(page, second!.username).waitFor()
    await act(page, deskTexts.done).click()
    await page.getByText(chatTexts.noneOf.waiting).waitFor()
    await tab(page, 'done').click()
    await rows(page).filter({ hasText: second!.username }).click()
    await page.getByText(deskTexts.isDone, { exact: true }).waitFor()
    await tab(page, 'snoozed').click()
    expect(await rows(page).count()).toBe(1)
    expect(await failures(page)).toEqual([])

    await second!.write(colleague.id, 'Còn một câu nữa')
    await first!.write(colleague.id, 'Sáng mai nhé')
    await expect.poll(() => tab(page, 'waiting').textContent()).toBe(`${chatTexts.tabs.waiting} 2`)
    await page.getByText(chatTexts.noneOf.snoozed).waitFor()
  })

  test('a message that came meanwhile refuses “Xong” beside it, and is there to be read', async () => {
    const { page, colleague, players } = await aQueue(['Xin chào'])
    await rows(page).first().click()
    await page.getByRole('article').getByText('Xin chào').waitFor()
    // It is on its way while the press is.
    await page.route('**/state', async (route) => {
      await players[0]!.write(colleague.id, 'Còn câu nữa')
      await route.fallback()
    })
    const done = act(page, deskTexts.done)
    await done.click()
    await page.getByRole('alert').getByText(refusals.NEW_MESSAGE.message).waitFor()
    await page.getByRole('article').getByText('Còn câu nữa').waitFor()
    expect(await failures(page)).toEqual([])
    await look(page, 'desk-refused', [360, 1280])
    await page.unroute('**/state')
    await done.click()
    await tab(page, 'waiting').click()
    await page.getByText(chatTexts.noneOf.waiting).waitFor()
  })

  test('ten conversations by keyboard alone, in 40 keys at most', async () => {
    const { page } = await aQueue(Array.from({ length: 10 }, (_, n) => `Câu hỏi ${n + 1}`))
    await tab(page, 'waiting').click()
    await expect.poll(() => rows(page).count()).toBe(10)
    let keys = 0
    const press = async (key: string) => {
      keys += 1
      await page.keyboard.press(key)
    }
    await press('j')
    for (let n = 10; n > 0; n--) {
      await page
        .getByRole('article')
        .getByText(`Câu hỏi ${11 - n}`, { exact: true })
        .waitFor()
      // For a minute, or two where a busy machine takes its time over the ten.
      await page.getByText(new RegExp(`^${deskTexts.waits('')}[12] phút$`)).waitFor()
      if (n % 3 === 0) {
        await press('r')
        await page.keyboard.type('Mình xem ngay')
        await press('Control+Enter')
      } else await press('e')
      await expect.poll(() => rows(page).count()).toBe(n - 1)
    }
    await tab(page, 'done').click()
    await expect.poll(() => rows(page).filter({ hasText: 'Mình xem ngay' }).count()).toBe(3)
    expect(keys).toBeLessThanOrEqual(40)
    await press('?')
    await page.getByRole('dialog').getByText(deskTexts.reply).waitFor()
    expect(await failures(page)).toEqual([])
  })
})

describe('canned replies', () => {
  test('are kept for oneself or the team, found by name or words at any word’s beginning, and have the customer’s name', async () => {
    const { account } = await aConversation()
    const { page } = await visit('/admin/chat', { token: care.adminToken, width: 1280, height: 800 })
    await conversationRow(page, account).click()
    await page.getByRole('button', { name: besideTexts.editReplies }).click()
    const sheet = page.getByRole('dialog', { name: deskTexts.replies })
    await sheet.getByRole('button', { name: deskTexts.saveReply }).click()
    await sheet.getByText(deskTexts.replyNameWrong).waitFor()
    await sheet.getByLabel(deskTexts.replyName).fill('Kiểm tra')
    await sheet.getByLabel(deskTexts.replyText).fill('{tên} chờ mình đối chiếu sổ nhé')
    await sheet.getByRole('switch', { name: deskTexts.replyShared }).click()
    await sheet.getByRole('button', { name: deskTexts.saveReply }).click()
    await sheet.getByRole('listitem').filter({ hasText: '/kiemtra' }).getByText(deskTexts.sharedBy('admin')).waitFor()
    expect(await failures(page)).toEqual([])
    await look(page, 'replies', [360, 1280])
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })

    await field(page).fill('Chào bạn, /doi chieu')
    expect(await page.getByRole('option', { name: /kiemtra/ }).count()).toBe(0)
    await field(page).fill('Chào bạn, /doi')
    await page.getByRole('option', { name: /kiemtra/ }).waitFor()
    expect(await failures(page)).toEqual([])
    await field(page).press('Enter')
    expect(await field(page).inputValue()).toBe(`Chào bạn, ${account.username} chờ mình đối chiếu sổ nhé`)

    // A colleague has it, too.
    const colleague = await anotherAdmin(server.url, care.adminToken)
    const other = await visit('/admin/chat', { token: colleague.token, width: 1280, height: 800 })
    const asked = await aPlayer(server.url)
    await (
      await writer(asked.token)
    )(colleague.id, 'Xin hỏi')
    await conversationRow(other.page, asked).click()
    await field(other.page).fill('/kiem')
    await other.page.getByRole('option', { name: /kiemtra/ }).click()
    expect(await field(other.page).inputValue()).toBe(`${asked.username} chờ mình đối chiếu sổ nhé`)
  })
})

describe('the search', () => {
  test('finds messages of all conversations and opens them at the message, marked; says once that nothing fits', async () => {
    const colleague = await anotherAdmin(server.url, care.adminToken)
    const { account } = await aConversation()
    const write = await writer(account.token)
    await write(care.adminId, 'Mã chuyển nhầm là QUẠ ĐEN bảy')
    for (let n = 1; n <= 60; n++) await write(care.adminId, `Dòng thứ ${n}`)
    const searched = async (token: string) => {
      const { page } = await visit('/admin/chat', { token, width: 1280, height: 800 })
      const search = page.getByRole('searchbox', { name: chatTexts.search })
      await search.fill('zzkhôngaicó')
      await page.getByText(chatTexts.noMatches).waitFor()
      await search.fill('qua den')
      await page.getByRole('button', { name: /QUẠ ĐEN/ }).click()
      expect(await page.getByText(chatTexts.noMatches).count()).toBe(0)
      return page
    }
    /** The message is there, marked, and wholly on screen. */
    const isShown = async (page: Page, found: Locator) => {
      await found.getByText('QUẠ ĐEN').waitFor()
      await expect
        .poll(() =>
          found.evaluate((one) => {
            const { top, bottom, left } = one.getBoundingClientRect()
            return one.contains(document.elementFromPoint(left + 12, (top + bottom) / 2))
          }),
        )
        .toBe(true)
      expect(await failures(page)).toEqual([])
    }
    const own = await searched(care.adminToken)
    await isShown(own, own.locator('article[aria-current=true]'))
    await field(own).waitFor()
    await look(own, 'found', [360, 768, 1024, 1280])

    // The colleague reads it before and after, without claiming it.
    const others = await searched(colleague.token)
    const sheet = others.getByRole('dialog', { name: account.username })
    await isShown(others, sheet.locator('[aria-current=true]'))
    await look(others, 'found-elsewhere', [360, 1280])
    await sheet.getByRole('button', { name: besideTexts.loadNewer }).click()
    await sheet.getByText('Dòng thứ 30', { exact: true }).waitFor()
    const acts = await call(server.url, endpoints.listAudit, { token: care.adminToken, query: { act: 'chat.search' } })
    expect(acts.map(({ actor, after }) => [actor, after])).toContainEqual([colleague.username, { text: 'qua den' }])
  })
})

describe('links in messages', () => {
  test('open beside the product, after a warning with the whole address where they lead away', async () => {
    const account = await aPlayer(server.url)
    const write = await writer(account.token)
    const away = 'https://vi-du.test/nhan-diem?ma=kim'
    await write(care.adminId, `Xem (${away}), rồi ${server.url}/tro-giup. javascript:alert(1)`)
    const { page, context } = await visit('/admin/chat', { token: care.adminToken, width: 1280, height: 800 })
    await context.route('https://vi-du.test/**', (route) => route.fulfill({ body: 'ngoài' }))
    await conversationRow(page, account).click()
    const links = page.getByRole('article').getByRole('link')
    await links.first().waitFor()
    expect(await links.allTextContents()).toEqual([away, `${server.url}/tro-giup`])
    expect(await links.first().getAttribute('rel')).toBe('noopener noreferrer nofollow ugc')

    const warning = page.getByRole('alertdialog', { name: chatTexts.leaveTitle })
    for (const press of [
      () => links.first().click(),
      () => links.first().click({ button: 'middle' }),
      () => links.first().press('Enter'),
    ]) {
      await press()
      await warning.getByText(away).waitFor()
      await warning.getByRole('button', { name: chatTexts.stay }).click()
      await warning.waitFor({ state: 'detached' })
    }
    expect(context.pages()).toHaveLength(1)
    await links.first().click()
    await warning.getByText(away).waitFor()
    expect(await failures(page)).toEqual([])
    await look(page, 'link', [360, 1280])
    const outside = context.waitForEvent('page')
    await warning.getByRole('button', { name: chatTexts.leave, exact: true }).click()
    expect((await outside).url()).toBe(away)
    expect(await (await outside).evaluate(() => [window.opener === null, document.referrer])).toEqual([true, ''])
    await warning.waitFor({ state: 'detached' })

    const inside = context.waitForEvent('page')
    await links.last().click()
    expect((await inside).url()).toBe(`${server.url}/tro-giup`)
  })
})

describe('the office’s pages', () => {
  const filled = ['user', 'transaction', 'proposals', 'game?type=120s', 'history', 'audit', 'disputes', 'chat']
  const others = ['', 'security']

  test('nothing in a pane that scrolls makes the document higher', async () => {
    await aCustomer(server.url, care.adminToken)
    // More conversations than the list is high, each with its badge.
    for (let n = 0; n < 12; n++) {
      const account = await aPlayer(server.url)
      await (
        await writer(account.token)
      )(care.adminId, 'Mình cần hỗ trợ')
    }
    const { page } = await visit('/admin', { token: care.adminToken, width: 1280, height: 720 })
    const wrong: string[] = []
    const look = async (name: string, isFilled: boolean) => {
      const found = await page.evaluate((ownPane) => {
        const scrolls = (one: Element) => /auto|scroll/.test(getComputedStyle(one).overflowY)
        const escaped = [...document.querySelectorAll<HTMLElement>('main *')].filter((one) => {
          if (getComputedStyle(one).position !== 'absolute') return false
          let pane = one.parentElement
          while (pane !== null && !scrolls(pane)) pane = pane.parentElement
          return pane !== null && pane !== document.body && !pane.contains(one.offsetParent)
        })
        const { scrollHeight } = document.documentElement
        return [
          ...(ownPane && scrollHeight > innerHeight ? [`${scrollHeight} px high`] : []),
          ...(escaped.length > 0 ? [`${escaped.length} leave their pane: ${escaped[0]?.outerHTML.slice(0, 120)}`] : []),
          ...(ownPane && scrollY > 0 ? [`scrolled by ${scrollY} px`] : []),
        ]
      }, isFilled)
      wrong.push(...found.map((fault) => `${name}: ${fault}`))
    }
    for (const path of [...others, ...filled]) {
      await page.goto(`/admin/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
      await page.waitForLoadState('networkidle')
      const isFilled = filled.includes(path)
      await look(path, isFilled)
      await page.evaluate(() => {
        const fields = document.querySelectorAll<HTMLElement>('main :is(input, textarea, select, button)')
        ;[...fields].findLast((one) => one.checkVisibility())?.focus()
      })
      await look(`${path}, its last field`, isFilled)
    }
    await page
      .getByRole('button', { name: /nguoichoi/ })
      .first()
      .click()
    await field(page).focus()
    await look('chat, the message field', true)
    expect(wrong).toEqual([])
  })

  test('cut no amount of a list, at any width, with the sidebar open and shut', async () => {
    await aCustomer(server.url, care.adminToken)
    const { page } = await visit('/admin', { token: care.adminToken, width: 1920, height: 800 })
    const wrong: string[] = []
    for (const path of ['transaction?status=all', 'user', 'history', 'game?type=90s']) {
      await page.goto(`/admin/${path}`)
      for (const sidebar of ['shut', 'open'] as const) {
        await page.setViewportSize({ width: 1920, height: 800 })
        const toggle = page.getByRole('button', { name: adminTexts.toggleSidebar })
        if ((await toggle.getAttribute('aria-expanded')) !== String(sidebar === 'open')) await toggle.click()
        await page.locator('[data-row-id]').first().waitFor()
        for (let width: number = narrowest[sidebar]; width <= 1920; width += 128) {
          await page.setViewportSize({ width, height: 800 })
          const found = await page.evaluate(async () => {
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))
            const amounts = [...document.querySelectorAll('main [data-row-id] [translate=no]')].filter((one) =>
              /\d\.\d\d/.test(one.textContent),
            )
            const isOnTop = (one: Element, x: number, y: number) => {
              const top = document.elementFromPoint(x, y)
              return top !== null && (one.contains(top) || top.contains(one))
            }
            return amounts.flatMap((one) => {
              const { left, right, top, bottom } = one.getBoundingClientRect()
              const y = (top + bottom) / 2
              if (y < 0 || y > innerHeight) return []
              const ends = [isOnTop(one, left + 1, y), isOnTop(one, right - 2, y)]
              return ends[0] === ends[1] ? [] : [`${one.textContent} is cut`]
            })
          })
          wrong.push(...found.slice(0, 1).map((fault) => `${path}, ${width} px, sidebar ${sidebar}: ${fault}`))
        }
        await look(page, `list-${path.split('?')[0] ?? ''}-${sidebar}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('say in Vietnamese that a list is empty', async () => {
    const { page } = await visit('/admin', { token: care.adminToken, width: 1280, height: 720 })
    for (const path of ['proposals', 'disputes', 'user?q=zzzz', 'transaction?q=zzzz']) {
      await page.goto(`/admin/${path}`)
      await page.getByRole('main').getByText('Không có kết quả nào.', { exact: true }).waitFor()
      expect(await page.getByRole('main').textContent()).not.toMatch(/\bno\b/i)
    }
  })
})
