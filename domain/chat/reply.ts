/** Canned replies of staff, chosen by their name after a slash. */

/** The most that one admin keeps. */
export const REPLIES_MAX = 100
export const REPLY_NAME = /^[a-z0-9]{1,20}$/

/** The text for a customer: `{tên}` is their name. */
export const replyFor = (text: string, username: string): string => text.replaceAll('{tên}', () => username)
