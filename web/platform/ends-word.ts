import type { KeyboardEvent } from 'react'

/** Returns true if an input method takes the key press to compose a word. In Safari only key code 229 shows this. */
// oxlint-disable-next-line typescript/no-deprecated -- Safari has no other way to detect it
export const endsWord = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === 229
