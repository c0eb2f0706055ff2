export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves in the next task. Between two long pieces of work, this lets the browser draw and handle touches. */
export const nextTask = (): Promise<void> => pause(0)
