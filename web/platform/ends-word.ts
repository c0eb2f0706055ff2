import type { KeyboardEvent } from 'react'

/** True if a key press ends a word of an input method, and so must not send. In Safari only the key code shows it. */
// oxlint-disable-next-line typescript/no-deprecated -- Safari has no other way to detect it
export const endsWord = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === 229
