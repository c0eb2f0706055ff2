import { createContext, useContext } from 'react'
import { CAPABILITIES, type Capability } from '#domain/identity/permissions.ts'

/**
 * The capabilities of the signed-in admin (rules §4.5). The frame of the back office provides them; without a provider,
 * a component has all capabilities. They only decide what is shown, since the server checks every call.
 */
export const OwnCapabilities = createContext<readonly Capability[]>(CAPABILITIES)

export const useMay = (capability: Capability): boolean => useContext(OwnCapabilities).includes(capability)

export const useIsReadOnly = (): boolean => useContext(OwnCapabilities).length === 0
