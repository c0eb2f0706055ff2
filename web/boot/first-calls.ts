import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { firstCalls as rounds } from '#web/features/admin-rounds/api.ts'
import { firstCalls as care } from '#web/features/chat/api.ts'
import { firstCalls as game } from '#web/features/game/api.ts'
import { firstCalls as account } from '#web/features/identity/api.ts'
import { firstCalls as market } from '#web/features/market/api.ts'
import { type FirstCall, pathOf } from '#web/platform/api.ts'
import type { makeRouter } from '../routes.tsx'

/**
 * The calls that web/boot/head.ts sends while the page's code is still loading. This file runs at build time
 * (scripts/head-plugin.ts): the browser receives only the paths.
 */

type Address = keyof ReturnType<typeof makeRouter>['routesByPath']

const playing = (type: RoundType) => [...market(), ...game(type)]

/** The early calls of single screens. In addition, those of `account()` are sent on every screen. */
const ofScreens: Partial<Record<Address, (type: RoundType) => readonly FirstCall[]>> = {
  '/investment': market,
  '/investment/game': playing,
  '/games': playing,
  '/support': care,
  '/admin/chat': care,
  '/admin/game': rounds,
}

/** Returns the paths of a screen's calls. In a path that depends on the round type, `{type}` stands for the type. */
function pathsOf(calls: (type: RoundType) => readonly FirstCall[]): readonly string[] {
  const [paths = [], ...others] = ROUND_TYPES.map((type) => calls(type).map(pathOf))
  return paths.map((path, index) => {
    if (others.every((other) => other[index] === path)) return path
    const template = path.replace(ROUND_TYPES[0], '{type}')
    if (ROUND_TYPES.some((type, at) => [paths, ...others][at]?.[index] !== template.replace('{type}', type)))
      throw new Error(`${path} depends on the round type in a way that web/boot/head.ts does not know.`)
    return template
  })
}

export const earlyPaths = {
  everywhere: account().map(pathOf),
  early: Object.fromEntries(Object.entries(ofScreens).map(([address, calls]) => [address, pathsOf(calls)])),
}
