import type { Page } from 'playwright-core'
import { chatTexts } from '#web/features/chat/chat-texts.ts'

/** The row of a conversation in the list of the desk; other parts beside the list name its person as well. */
export const conversationRow = (page: Page, { username }: { readonly username: string }) =>
  page.getByRole('region', { name: chatTexts.conversations }).getByRole('button', { name: new RegExp(`^${username} `) })

export const messageField = (page: Page) => page.getByLabel(chatTexts.messageLabel)

/** Opens the conversation with an admin whom the player chooses. */
export async function writeTo(page: Page, admin: string): Promise<void> {
  await page.getByText(chatTexts.chooseOther).click()
  await page.getByRole('button', { name: chatTexts.chatWith(admin) }).click()
}

/** Writes a message in the open conversation and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await messageField(page).fill(text)
  await messageField(page).press('Enter')
}
