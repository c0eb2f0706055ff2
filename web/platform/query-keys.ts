/** Keys of what more than one feature reads or changes; the second is the specification's own (spec §9). */
export const sharedKeys = { me: ['me'], config: ['get-config'] } as const
