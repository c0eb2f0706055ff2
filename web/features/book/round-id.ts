const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/i

/** The round's id in what a person typed: the id itself, or a receipt's address. Null without one. */
export const roundIdIn = (text: string): string | null => UUID.exec(text)?.[0].toLowerCase() ?? null
