import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readOpen, readScreens } from '../scripts/head-plugin.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const routes = readFileSync(`${root}web/routes.tsx`, 'utf8')

test('the code of every screen of the route table is asked for at its address', () => {
  const screens = readScreens(routes)
  expect([...screens.keys()].toSorted()).toEqual(
    [
      ...[
        '/',
        '/account',
        '/account/statistics',
        '/account/bets',
        '/account/ledger',
        '/account/limits',
        '/account/notifications',
        '/account/settings',
        '/bank',
        '/change-password',
      ],
      ...[
        '/games',
        '/investment',
        '/investment/game',
        '/login',
        '/register',
        '/support',
        '/transaction',
        '/tro-giup',
        '/vong/$id',
        '/so-mo',
        '/kiem-chung',
      ],
      ...[
        '',
        '/audit',
        '/care-report',
        '/chat',
        '/disputes',
        '/game',
        '/proposals',
        '/round/$id',
        '/history',
        '/security',
        '/system',
        '/transaction',
        '/user',
        '/user/$id',
      ].map((page) => `/admin${page}`),
    ].toSorted(),
  )
  const open = ['/kiem-chung', '/login', '/register', '/so-mo', '/tro-giup', '/vong/$id']
  expect(readOpen(screens).toSorted()).toEqual(open)
  expect(screens.get('/login')).toEqual(['web/screens/login-screen.tsx'])
  expect(screens.get('/games')).toEqual(['web/layout/guarded-area.tsx', 'web/screens/game-screen.tsx'])
  expect(screens.get('/admin')?.at(-1)).toBe('web/screens/admin/overview-screen.tsx')
  expect([...screens.values()].flat().filter((module) => !existsSync(`${root}${module}`))).toEqual([])
})

test('a route that can’t be read stops the build', () => {
  expect(() => readScreens(routes.replace('titles.game, gameScreen', 'titles.game, otherScreen'))).toThrow()
  expect(() => readScreens(`${routes}\nexport const hidden = createRoute({})`)).toThrow('not known here')
})
