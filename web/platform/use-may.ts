import { createContext, useContext } from 'react'
import { CAPABILITIES, type Capability } from '#domain/identity/permissions.ts'

/**
 * The capabilities of the signed-in admin (rules §4.5). Without a provider, the context has all capabilities.
 * They decide only what is shown: the server checks each call itself.
 */
export const OwnCapabilities = createContext<readonly Capability[]>(CAPABILITIES)

export const useMay = (capability: Capability): boolean => useContext(OwnCapabilities).includes(capability)

export const useIsReadOnly = (): boolean => useContext(OwnCapabilities).length === 0
