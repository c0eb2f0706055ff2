import type { KeyboardEvent } from 'react'

/** True if a key press only completes a word of an input method. Safari then reports key code 229 and nothing else. */
// oxlint-disable-next-line typescript/no-deprecated -- Safari has no other way to detect it
export const endsWord = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === 229
