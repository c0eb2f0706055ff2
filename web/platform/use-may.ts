import { createContext, useContext } from 'react'
import { CAPABILITIES, type Capability } from '#domain/identity/permissions.ts'

/**
 * The acts that the signed-in admin may do beside reading (rules §4.5), from the frame of the back office. The server
 * judges every call; a part that is drawn alone has all of them.
 */
export const OwnCapabilities = createContext<readonly Capability[]>(CAPABILITIES)

export const useMay = (capability: Capability): boolean => useContext(OwnCapabilities).includes(capability)

export const useIsReadOnly = (): boolean => useContext(OwnCapabilities).length === 0
