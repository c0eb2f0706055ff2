import { expect, test } from 'vitest'
import { SCREEN_PATHS } from '#contract/screen-paths.ts'
import { makeRouter } from './routes.tsx'

test('the server knows every path of the router, and no other', () => {
  // A path of an area and of its first screen are one.
  const paths = Object.keys(makeRouter().routesByPath).map((path) => path.replace(/(.)\/$/, '$1'))
  expect(paths.length).toBeGreaterThan(20)
  expect([...new Set(paths)].toSorted()).toEqual([...SCREEN_PATHS].toSorted())
})
