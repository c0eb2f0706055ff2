import type { KeyboardEvent } from 'react'

/** Returns true for a key press of an input method. In Safari only `keyCode` 229 marks the press that ends a word. */
// oxlint-disable-next-line typescript/no-deprecated -- Safari has no other way to detect it
export const endsWord = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === 229
