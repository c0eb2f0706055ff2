import type { KeyboardEvent } from 'react'

/** A key of an input method: Enter that ends its word sends nothing. Safari reports it by the key code alone. */
// oxlint-disable-next-line typescript/no-deprecated -- Safari has no other way to detect it
export const endsWord = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === 229
