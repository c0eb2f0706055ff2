import type { KeyboardEvent } from 'react'

/**
 * Returns whether a key press belongs to an input method: its Enter ends a word and must not send the message. In
 * Safari only the key code shows this.
 */
// oxlint-disable-next-line typescript/no-deprecated -- Safari has no other way to detect it
export const endsWord = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === 229
