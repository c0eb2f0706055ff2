import { expect, test } from 'vitest'
import { sourceLabel } from './source-label.ts'
import { isLive, liveSource, SIMULATED } from './sources.ts'

test.each([
  ['pyth', 'hermes.pyth.network', 'pyth', 'Pyth'],
  ['pyth', 'pyth.dourolabs.app', 'pyth', 'Pyth'],
  ['swissquote', 'forex-data-feed.swissquote.com', 'swissquote', 'Swissquote'],
  ['pyth', '127.0.0.1:7070', 'pyth@127.0.0.1:7070', 'Nguồn thử nghiệm: 127.0.0.1:7070'],
  ['pyth', 'hermes.pyth.network:8443', 'pyth@hermes.pyth.network:8443', 'Nguồn thử nghiệm: hermes.pyth.network:8443'],
  ['pyth', 'pyth.network.example.com', 'pyth@pyth.network.example.com', 'Nguồn thử nghiệm: pyth.network.example.com'],
  ['pyth', 'notpyth.network', 'pyth@notpyth.network', 'Nguồn thử nghiệm: notpyth.network'],
  ['swissquote', 'hermes.pyth.network', 'swissquote@hermes.pyth.network', 'Nguồn thử nghiệm: hermes.pyth.network'],
] as const)('%s at %s is %s, shown as %s', (feed, host, source, label) => {
  expect(liveSource(feed, host)).toBe(source)
  expect(sourceLabel(source)).toBe(label)
  expect(isLive(source)).toBe(true)
})

test('the simulated price is labelled as simulated', () => {
  expect(sourceLabel(SIMULATED)).toBe('Giá mô phỏng')
  expect(isLive(SIMULATED)).toBe(false)
})
