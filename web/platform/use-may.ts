import { createContext, useContext } from 'react'
import { CAPABILITIES, type Capability } from '#domain/identity/permissions.ts'

/**
 * The acts that the signed-in admin may do beside reading (rules §4.5): the frame of the back office gives them, and
 * every part inside hides acts that its reader may not do. The server judges every call; a part that is drawn alone has
 * all of them.
 */
export const OwnCapabilities = createContext<readonly Capability[]>(CAPABILITIES)

/** True where the signed-in admin has this capability. */
export const useMay = (capability: Capability): boolean => useContext(OwnCapabilities).includes(capability)

/** True where the signed-in admin may read only. */
export const useIsReadOnly = (): boolean => useContext(OwnCapabilities).length === 0
