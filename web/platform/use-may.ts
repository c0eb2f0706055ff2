import { createContext, useContext } from 'react'
import { CAPABILITIES, type Capability } from '#domain/identity/permissions.ts'

/**
 * What the signed-in admin may do besides reading (rules §4.5). The frame of the back office provides it, and the
 * server judges every call; without a provider, a component has all capabilities.
 */
export const OwnCapabilities = createContext<readonly Capability[]>(CAPABILITIES)

export const useMay = (capability: Capability): boolean => useContext(OwnCapabilities).includes(capability)

export const useIsReadOnly = (): boolean => useContext(OwnCapabilities).length === 0
