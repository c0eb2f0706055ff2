export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Yields to the browser between two long pieces of work, so that it can draw and handle touches. */
export const nextTask = (): Promise<void> => pause(0)
