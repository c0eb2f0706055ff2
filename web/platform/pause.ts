/** Lets time pass, in ms. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Lets the browser draw and answer a touch between two pieces of work, each of them long on a slow phone. */
export const nextTask = (): Promise<void> => pause(0)
