export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves in a later task, so that the browser can draw and handle input in between. */
export const nextTask = (): Promise<void> => pause(0)
