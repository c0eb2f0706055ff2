import type { KeyboardEvent } from 'react'

/** Whether a key belongs to an input method, whose Enter ends a word and must not send. Safari reports this only by the key code. */
// oxlint-disable-next-line typescript/no-deprecated -- Safari has no other way to detect it
export const endsWord = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === 229
