export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Lets the browser draw and handle touches between two long pieces of work. */
export const nextTask = (): Promise<void> => pause(0)
