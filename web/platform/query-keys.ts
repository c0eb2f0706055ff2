/** Keys of what more than one feature reads or changes; the second is the spec's own (§9). */
export const sharedKeys = { me: ['me'], config: ['get-config'] } as const
