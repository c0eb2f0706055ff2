import type { KeyboardEvent } from 'react'

/** Returns true if a key press only completes a word of an input method. In Safari only the key code 229 shows this. */
// oxlint-disable-next-line typescript/no-deprecated -- Safari has no other way to detect it
export const endsWord = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === 229
