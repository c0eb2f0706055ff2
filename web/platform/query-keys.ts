/** Query keys that more than one feature uses; `get-config` is the specification's own (spec §9). */
export const sharedKeys = { me: ['me'], config: ['get-config'] } as const
