export const USERNAME_MIN = 3
export const USERNAME_MAX = 32
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 128

/** ASCII letters and digits only (rules §4). */
export const isUsername = (text: string): boolean =>
  text.length >= USERNAME_MIN && text.length <= USERNAME_MAX && /^[A-Za-z0-9]+$/.test(text)

export const isPassword = (text: string): boolean => text.length >= PASSWORD_MIN && text.length <= PASSWORD_MAX

export const usernameKey = (username: string): string => username.toLowerCase()

/**
 * The form in which usernames are searched: without accents, đ as d, in lower case. Usernames have no accents, but
 * people type them in searches.
 */
export const usernameSearchKey = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/[đĐ]/g, 'd').trim().toLowerCase()
